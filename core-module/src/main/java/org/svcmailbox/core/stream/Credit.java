package org.svcmailbox.core.stream;

/**
 * The messages and payload bytes that a client has requested and not yet been sent. One message may
 * exceed the bytes, at the expense of later credit.
 */
final class Credit {
  static final long MOST_MESSAGES = 1_000_000;
  static final long MOST_BYTES = 1L << 40;

  private final boolean isEndless;
  private long messages;
  private long bytes;

  private Credit(boolean isEndless) {
    this.isEndless = isEndless;
  }

  /** For a client that only reads and grants no credit. */
  static Credit endless() {
    return new Credit(true);
  }

  static Credit none() {
    return new Credit(false);
  }

  /** Clamps more credit than can be used. */
  void add(long moreMessages, long moreBytes) {
    messages = Math.min(MOST_MESSAGES, messages + clamped(moreMessages, MOST_MESSAGES));
    bytes = Math.min(MOST_BYTES, bytes + clamped(moreBytes, MOST_BYTES));
  }

  /** Unsigned numbers of clients may arrive as negative ones. */
  private static long clamped(long more, long most) {
    return more < 0 ? most : Math.min(most, more);
  }

  void spend(int size) {
    messages--;
    bytes -= size;
  }

  boolean isSpent() {
    return !isEndless && (messages <= 0 || bytes <= 0);
  }

  int messages(int atMost) {
    return isEndless ? atMost : (int) Math.min(atMost, messages);
  }

  long bytes(long atMost) {
    return isEndless ? atMost : Math.min(atMost, bytes);
  }
}
