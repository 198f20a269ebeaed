package org.svcmailbox.client.http;

import java.util.regex.Pattern;
import org.svcmailbox.client.AccessDeniedException;

/** The check of a token before it becomes a header, whose own check would quote it. */
final class Tokens {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{1,8192}");

  private Tokens() {}

  /**
   * Returns the token without the white space around it.
   *
   * @throws AccessDeniedException if it cannot be a token
   */
  static String require(String token) {
    String stripped = token.strip();
    if (!isWellFormed(stripped)) {
      throw new AccessDeniedException("the token is malformed");
    }
    return stripped;
  }

  static boolean isWellFormed(String token) {
    return TOKEN.matcher(token).matches();
  }
}
