package org.svcmailbox.core.stream;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.time.Ticker;

/**
 * The reason why a stream leases nothing, and since when. Writers hold the stream's lock; any
 * thread reads.
 */
final class Blocked {
  private final Ticker ticker;
  private final BiConsumer<Pause, Long> told;
  private volatile @Nullable Pause why;
  private long since;

  /**
   * @param told receives each reason that is over, and how many nanoseconds it lasted
   */
  Blocked(Ticker ticker, BiConsumer<Pause, Long> told) {
    this.ticker = ticker;
    this.told = told;
  }

  @Nullable Pause why() {
    return why;
  }

  /** How long the reason has lasted, in nanoseconds. */
  long held() {
    return ticker.nanos() - since;
  }

  /** Sets the current reason; null for none. */
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
