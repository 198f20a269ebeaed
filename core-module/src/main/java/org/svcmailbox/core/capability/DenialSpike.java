package org.svcmailbox.core.capability;

import java.time.Duration;

/**
 * Notices when calls are denied far more often than mistakes explain: then something changed that
 * this node has not seen, or somebody is trying tokens. Any thread.
 */
final class DenialSpike {
  /** So many denials... */
  static final int MANY = 100;

  /** ...within this are a spike; there is at most one in each. */
  static final Duration WINDOW = Duration.ofSeconds(10);

  private long windowBegan;
  private int denials;

  DenialSpike(long now) {
    this.windowBegan = now;
  }

  /** Counts one denial; answers whether it is the one that makes a spike. */
  synchronized boolean countDenial(long now) {
    if (now - windowBegan >= WINDOW.toNanos()) {
      windowBegan = now;
      denials = 0;
    }
    denials++;
    return denials == MANY;
  }
}
