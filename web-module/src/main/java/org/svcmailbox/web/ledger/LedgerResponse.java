package org.svcmailbox.web.ledger;

import java.util.List;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerService.Stretch;

/** A stretch of a ledger, and what its first entry continues. */
record LedgerResponse(Start start, List<Entry> entries) {
  /** The end of what came before; seq 0 and zeros at the very beginning. */
  record Start(long seq, String link) {
    static Start of(LedgerHead head) {
      return new Start(head.seq(), head.link().toString());
    }
  }

  /** One accepted message. */
  record Entry(long seq, String msgId, String hashChain, String link) {
    static Entry of(LedgerEntry entry) {
      return new Entry(
          entry.seq(),
          entry.msgId().toString(),
          entry.hashChain().toString(),
          entry.link().toString());
    }
  }

  static LedgerResponse of(Stretch stretch) {
    return new LedgerResponse(
        Start.of(stretch.start()), stretch.entries().stream().map(Entry::of).toList());
  }
}
