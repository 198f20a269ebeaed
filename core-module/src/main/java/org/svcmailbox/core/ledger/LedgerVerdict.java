package org.svcmailbox.core.ledger;

import java.util.List;

/** The result of checking part of a ledger. */
public sealed interface LedgerVerdict {
  /** Every entry follows from the one before. */
  record Intact(long upTo) implements LedgerVerdict {}

  /** The first entry that is missing, out of place or altered. */
  record BrokenAt(long seq) implements LedgerVerdict {}

  /**
   * Checks {@code entries} as the continuation of {@code start}.
   *
   * @param entries in the order in which they are stored
   */
  static LedgerVerdict check(LedgerHead start, List<LedgerEntry> entries) {
    LedgerHead head = start;
    for (LedgerEntry entry : entries) {
      if (!head.append(entry.msgId(), entry.hashChain()).equals(entry)) {
        return new BrokenAt(head.seq() + 1);
      }
      head = LedgerHead.after(entry);
    }
    return new Intact(head.seq());
  }
}
