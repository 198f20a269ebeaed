package org.svcmailbox.client.verify;

/** The result of checking a ledger: {@link Intact} or {@link BrokenAt}. */
public sealed interface LedgerCheck {
  /**
   * Every entry follows from the one before, and every anchor in reach is met.
   *
   * @param first the number of the first entry, 0 if there are no entries
   * @param last the number of the last entry
   * @param anchored whether at least one anchor was met; without any, a ledger that was rewritten
   *     as a whole looks intact
   */
  record Intact(long first, long last, boolean anchored) implements LedgerCheck {}

  /**
   * An entry is missing, out of place or altered.
   *
   * @param seq the number of the first such entry
   * @param why a description of the fault
   */
  record BrokenAt(long seq, String why) implements LedgerCheck {}
}
