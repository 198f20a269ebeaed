package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.function.IntSupplier;
import org.svcmailbox.core.time.Ticker;

/**
 * Runs bounded removals one after another, as long as each one removes something and time remains.
 * Each removal decides how much it takes, because rows that were written together may be removed
 * together.
 */
public final class Purge {
  private final Ticker ticker;
  private final Duration most;

  /**
   * @param most how long one run may take; the last removal is completed
   */
  public Purge(Ticker ticker, Duration most) {
    this.ticker = ticker;
    this.most = most;
  }

  /**
   * Runs the removal at least once.
   *
   * @param removal one transaction; returns how many it removed, 0 if nothing is left
   * @return how many were removed in all
   */
  public long run(IntSupplier removal) {
    long begun = ticker.nanos();
    long all = 0;
    int removed;
    do {
      removed = removal.getAsInt();
      all += removed;
    } while (removed > 0 && ticker.nanos() - begun < most.toNanos());
    return all;
  }
}
