package org.svcmailbox.outbox.event;

/** Makes an external text safe for databases, JSON and the service. */
public final class Reason {
  /** The most characters of a reason. */
  public static final int MAX = 1024;

  private Reason() {}

  /** The text, cut, with a space in the place of each character that cannot be stored. */
  public static String of(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints().limit(MAX).map(Reason::storable).forEach(clean::appendCodePoint);
    int end = Math.min(clean.length(), MAX);
    boolean splits = end == MAX && end < clean.length() && isHigh(clean.charAt(end - 1));
    return clean.substring(0, splits ? end - 1 : end);
  }

  private static boolean isHigh(char c) {
    return Character.isHighSurrogate(c);
  }

  private static int storable(int c) {
    boolean isSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return c == 0 || isSurrogate ? ' ' : c;
  }
}
