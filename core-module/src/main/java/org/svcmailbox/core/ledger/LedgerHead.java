package org.svcmailbox.core.ledger;

import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;

/**
 * The end of a shard's ledger.
 *
 * @param seq the last entry's number; 0 if there is none
 * @param link the last entry's link; zeros if there is none
 */
public record LedgerHead(long seq, Digest link) {
  /** The end of a ledger without entries. */
  public static final LedgerHead EMPTY = new LedgerHead(0, Digest.ZERO);

  /** The entry that continues this ledger. */
  public LedgerEntry append(MsgId msgId, Digest hashChain) {
    return new LedgerEntry(seq + 1, msgId, hashChain, LedgerEntry.link(link, hashChain, msgId));
  }

  /** The ledger's end after {@code entry}. */
  public static LedgerHead after(LedgerEntry entry) {
    return new LedgerHead(entry.seq(), entry.link());
  }
}
