package org.svcmailbox.core.stream;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.time.Ticker;

/**
 * The reason why a stream leases nothing, and since when. Written under the stream's lock; read by
 * any thread.
 */
final class Blocked {
  private final Ticker ticker;
  private final BiConsumer<Pause, Long> told;
  private volatile @Nullable Pause why;
  private long since;

  /**
   * @param told takes each reason that is over, with its nanoseconds
   */
  Blocked(Ticker ticker, BiConsumer<Pause, Long> told) {
    this.ticker = ticker;
    this.told = told;
  }

  @Nullable Pause why() {
    return why;
  }

  /** How long the reason has held, in nanoseconds. */
  long held() {
    return ticker.nanos() - since;
  }

  /** From now on this is the reason; null for none. */
  void now(@Nullable Pause next) {
    Pause before = why;
    if (before == next) {
      return;
    }
    if (before != null) {
      told.accept(before, held());
    }
    since = ticker.nanos();
    why = next;
  }
}
