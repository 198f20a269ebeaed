package org.svcmailbox.client.http;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.client.Experimental;

/** Tokens of another source, which tell how the keys begin that the library chooses. */
@Experimental
public final class KeyedTokens implements TokenSource {
  private record Known(String token, String prefix) {}

  private final TokenSource source;
  private @Nullable Known last;
  private @Nullable RuntimeException failure;

  /** Of the same tokens. */
  public KeyedTokens(TokenSource source) {
    this.source = source;
  }

  /** The prefix that the token demands. Of a failure, the call learns that the key is for. */
  public synchronized String keyPrefix() {
    try {
      String token = token();
      Known known = last;
      if (known == null || !known.token().equals(token)) {
        known = new Known(token, of(token));
        last = known;
      }
      return known.prefix();
    } catch (RuntimeException e) {
      failure = e;
      return "";
    }
  }

  private static String of(String token) {
    try {
      return Capability.parse(token).keyPrefix();
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  @Override
  public synchronized String token() {
    RuntimeException earlier = failure;
    if (earlier != null) {
      failure = null;
      throw earlier;
    }
    return source.token();
  }

  @Override
  public String refreshed(String refused) {
    return source.refreshed(refused);
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
