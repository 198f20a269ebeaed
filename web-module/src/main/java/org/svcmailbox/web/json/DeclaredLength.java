package org.svcmailbox.web.json;

import org.jspecify.annotations.Nullable;

/** Parses the {@code Content-Length} header. */
final class DeclaredLength {
  /** The length is missing or malformed. */
  static final long UNKNOWN = -1;

  private static final int MAX_DIGITS = 18;

  private DeclaredLength() {}

  /** The declared bytes, or {@link #UNKNOWN}. */
  static long of(@Nullable String header) {
    if (header == null || header.isEmpty() || !header.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return UNKNOWN;
    }
    return header.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(header);
  }
}
