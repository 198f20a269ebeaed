package org.svcmailbox.rendezvous;

import org.jspecify.annotations.Nullable;

/** The token of an {@code Authorization} header (RFC 6750). */
final class BearerToken {
  private static final String SCHEME = "Bearer ";

  private BearerToken() {}

  /** Returns the token; null without a header or with another scheme. */
  static @Nullable String of(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }
}
