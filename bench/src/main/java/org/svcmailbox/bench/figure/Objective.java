package org.svcmailbox.bench.figure;

import java.util.Locale;

/** A limit that a time must stay below. A run that misses it fails. */
public record Objective(String figure, double belowMillis) {
  /** The objective of the scenario {@code latency}. */
  public static final Objective LATENCY = new Objective("p95 of enqueue + dequeue", 50);

  /** A figure missed its objective. */
  public static final class MissedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public MissedException(String message) {
      super(message);
    }
  }

  /**
   * Throws unless the time is below the limit; NaN is not.
   *
   * @param seenBy the side that measured it
   */
  public void require(String seenBy, double millis) {
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
