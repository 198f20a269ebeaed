package org.svcmailbox.undertow.framing;

/** Counts frames in a time window; a new window follows when it is over. */
final class FrameRate {
  private static final long WINDOW_NANOS = 30_000_000_000L;

  private final int most;
  private long began;
  private int count;

  FrameRate(int most) {
    this.most = most;
  }

  /** Counts a frame; returns whether there are too many. */
  boolean exceeds(long now) {
    if (count == 0 || now - began >= WINDOW_NANOS) {
      began = now;
      count = 0;
    }
    return ++count > most;
  }
}
