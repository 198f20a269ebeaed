package org.svcmailbox.web.capability;

import java.util.regex.Pattern;
import org.svcmailbox.core.problem.SchemaException;

/** The nonces of capabilities in requests. */
public final class Nonces {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{32}");

  private Nonces() {}

  /**
   * Returns the nonce.
   *
   * @throws SchemaException if the text is not a nonce
   */
  public static String checked(String text) {
    return checked("nonce", text);
  }

  /** As above, in another field. */
  public static String checked(String field, String text) {
    if (!FORM.matcher(text).matches()) {
      throw new SchemaException(field, "must be 32 hex digits in lower case");
    }
    return text;
  }
}
