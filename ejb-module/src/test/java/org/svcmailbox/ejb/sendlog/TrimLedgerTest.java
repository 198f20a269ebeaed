package org.svcmailbox.ejb.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.ejb.store.TestDatabase;

/** What the contract does not say: entries go page by page. */
class TrimLedgerTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  private final SendLog log = new JpaSendLog(DATABASE.transactions(), InstantSource.system());

  @Test
  void theEntriesOfABatchGoTogether() throws KeyTakenException {
    List<Row> rows = new SampleShard(1, 0).rows("k", 9, LATER);
    log.reserve(SampleBatch.of(0, 1, rows.subList(0, 3)));
    log.reserve(SampleBatch.of(0, 2, rows.subList(3, 5)));
    log.reserve(SampleBatch.of(0, 3, rows.subList(5, 9)));

    assertEquals(3, log.trimLedger(1, 0, LATER, 1));
    assertEquals(LedgerHead.after(rows.get(2).entry()), log.ledgerStart(1, 0));
    assertEquals(2, log.trimLedger(1, 0, LATER, 10));
    assertEquals(LedgerHead.after(rows.get(4).entry()), log.ledgerStart(1, 0));
    assertEquals(0, log.trimLedger(1, 0, LATER, 10));
    assertEquals(
        new LedgerVerdict.Intact(9),
        LedgerVerdict.check(log.ledgerStart(1, 0), log.ledger(1, 0, 1, 10)));
  }

  @Test
  void manyPagesAreFewStatements() throws KeyTakenException {
    SampleShard shard = new SampleShard(1, 0);
    for (int batch = 1; batch <= 50; batch++) {
      log.reserve(SampleBatch.of(0, batch, List.of(shard.row("k" + batch, LATER))));
    }
    // A look, a look again in the transaction, the deletion, the start: sought and inserted, and
    // the
    // bytes that are gone.
    assertEquals(6, DATABASE.statements(() -> log.trimLedger(1, 0, LATER, 100)));
    assertEquals(1, log.ledger(1, 0, 1, 100).size());
  }
}
