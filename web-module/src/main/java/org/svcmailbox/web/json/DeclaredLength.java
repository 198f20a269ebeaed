package org.svcmailbox.web.json;

import org.jspecify.annotations.Nullable;

/** What a client says the length of its body is. */
final class DeclaredLength {
  /** It does not say, or not in a way that can be understood. */
  static final long UNKNOWN = -1;

  private static final int MAX_DIGITS = 18;

  private DeclaredLength() {}

  /** The bytes a {@code Content-Length} header declares, or {@link #UNKNOWN}. */
  static long of(@Nullable String header) {
    if (header == null || header.isEmpty() || !header.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return UNKNOWN;
    }
    return header.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(header);
  }
}
