package org.svcmailbox.core.lookup;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;

/**
 * Finds a message in a ledger by the time in its id.
 *
 * <p>Entries are in the order of acceptance and ids in that of arrival, so ids are only nearly
 * sorted. No entry is more than {@link #DISORDER} older than an earlier one. Let {@code t} be the
 * time of the wanted entry. All entries behind it are then at or after {@code t - DISORDER}, so the
 * bisection for the first such entry never ends behind it. All entries before it are at or before
 * {@code t + DISORDER}, so the scan from there ends at the first later one.
 */
public final class LedgerSearch {
  /** Longer than a SEND can wait between its arrival and its acceptance. */
  public static final Duration DISORDER = Duration.ofMinutes(1);

  /** Entries that are read at once; a shorter range is not bisected further. */
  static final int STRETCH = 500;

  /** A ledger: entries with {@code seq >= from}, in order, at most {@code limit}. */
  @FunctionalInterface
  public interface Entries {
    List<LedgerEntry> from(long from, int limit);
  }

  private LedgerSearch() {}

  /**
   * Searches a ledger.
   *
   * @param first no kept entry has a smaller number
   * @param last no entry that matters has a greater one
   * @param isOver ends the search, which is then not whole
   */
  public static Look<LedgerEntry> find(
      Entries ledger, long first, long last, MsgId wanted, BooleanSupplier isOver) {
    Instant earliest = wanted.createdAt().minus(DISORDER);
    long low = first - 1;
    long high = last + 1;
    while (high - low > STRETCH && !isOver.getAsBoolean()) {
      long middle = low + (high - low) / 2;
      List<LedgerEntry> next = ledger.from(middle, 1);
      boolean isBefore =
          !next.isEmpty()
              && next.get(0).seq() < high
              && next.get(0).msgId().createdAt().isBefore(earliest);
      low = isBefore ? next.get(0).seq() : low;
      high = isBefore ? high : middle;
    }
    return scan(ledger, low + 1, wanted, isOver);
  }

  private static Look<LedgerEntry> scan(
      Entries ledger, long from, MsgId wanted, BooleanSupplier isOver) {
    Instant latest = wanted.createdAt().plus(DISORDER);
    long next = from;
    while (!isOver.getAsBoolean()) {
      List<LedgerEntry> stretch = ledger.from(next, STRETCH);
      for (LedgerEntry entry : stretch) {
        if (entry.msgId().equals(wanted)) {
          return Look.of(entry);
        }
        if (entry.msgId().createdAt().isAfter(latest)) {
          return Look.of(null);
        }
      }
      if (stretch.size() < STRETCH) {
        return Look.of(null);
      }
      next = stretch.get(stretch.size() - 1).seq() + 1;
    }
    return Look.partial();
  }
}
