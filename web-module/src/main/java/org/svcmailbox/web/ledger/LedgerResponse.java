package org.svcmailbox.web.ledger;

import java.util.List;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerService.Stretch;

/** Consecutive ledger entries and the head before them. */
record LedgerResponse(Start start, List<Entry> entries) {
  /** The entry before the first; seq 0 and a link of zeros at the ledger's start. */
  record Start(long seq, String link) {
    static Start of(LedgerHead head) {
      return new Start(head.seq(), head.link().toString());
    }
  }

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
