package org.svcmailbox.core.route;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether frames for a peer are worth a try. Two failures in a row within a second have it skipped;
 * then one frame is tried every quarter of a second, until one succeeds. Times are ticker
 * nanoseconds. Any thread.
 */
final class PeerHealth {
  /** Two failures so close together have a peer skipped. */
  static final Duration CLOSE = Duration.ofSeconds(1);

  /** How often a skipped peer is tried. */
  static final Duration TRY_EVERY = Duration.ofMillis(250);

  private @Nullable Long failedAt;
  private boolean isSkipped;
  private long nextTry;

  /** How many frames may be under way now; a skipped peer's next try is claimed by asking. */
  synchronized int frames(long now) {
    if (!isSkipped) {
      return PeerQueue.MOST_FRAMES;
    }
    if (now - nextTry < 0) {
      return 0;
    }
    nextTry = now + TRY_EVERY.toNanos();
    return 1;
  }

  synchronized void succeeded() {
    failedAt = null;
    isSkipped = false;
  }

  /** Counts a frame that failed or whose outcome is unknown. */
  synchronized void failed(long now) {
    isSkipped |= failedAt != null && now - failedAt <= CLOSE.toNanos();
    failedAt = now;
    nextTry = now + TRY_EVERY.toNanos();
  }

  synchronized boolean isSkipped() {
    return isSkipped;
  }
}
