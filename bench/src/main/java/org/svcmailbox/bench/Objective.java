package org.svcmailbox.bench;

import java.util.Locale;

/** A bound that a figure must stay below; a run that misses it fails. */
record Objective(String figure, double belowMillis) {
  /** The promise to every message at a moderate rate. */
  static final Objective LATENCY = new Objective("p95 of enqueue + dequeue", 50);

  /** A figure that is not below its objective. */
  static final class MissedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    MissedException(String message) {
      super(message);
    }
  }

  /**
   * Fails unless the figure is known and below.
   *
   * @param seenBy who measured it
   */
  void require(String seenBy, double millis) {
    if (!(millis < belowMillis)) {
      throw new MissedException(
          String.format(
              Locale.ROOT,
              "%s, %s: %.2f ms, which is not below %.0f ms",
              figure,
              seenBy,
              millis,
              belowMillis));
    }
  }
}
