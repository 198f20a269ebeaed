package org.svcmailbox.ejb.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.ejb.store.TestDatabase;

/** Entries go page by page, which the contract does not say. */
class TrimLedgerTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");
  private static final LedgerId LEDGER = new LedgerId(1, 0);

  private final ProjectionStore store = new JpaProjectionStore(DATABASE.transactions());
  private final SampleWorker worker = new SampleWorker(0);

  @Test
  void theEntriesOfABatchGoTogether() {
    List<Row> rows = new SampleShard(1, 0).rows("k", 9, LATER);
    worker.apply(store, rows.subList(0, 3));
    worker.apply(store, rows.subList(3, 5));
    worker.apply(store, rows.subList(5, 9));

    assertEquals(3, store.trimLedger(LEDGER, LATER, 1));
    assertEquals(LedgerHead.after(rows.get(2).entry()), store.ledgerStart(LEDGER));
    assertEquals(2, store.trimLedger(LEDGER, LATER, 10));
    assertEquals(LedgerHead.after(rows.get(4).entry()), store.ledgerStart(LEDGER));
    assertEquals(0, store.trimLedger(LEDGER, LATER, 10));
    assertEquals(
        new LedgerVerdict.Intact(9),
        LedgerVerdict.check(store.ledgerStart(LEDGER), store.ledger(LEDGER, 1, 10)));
  }

  @Test
  void manyPagesAreFewStatements() {
    SampleShard shard = new SampleShard(1, 0);
    for (int batch = 1; batch <= 50; batch++) {
      worker.apply(store, List.of(shard.row("k" + batch, LATER)));
    }
    // A look, the lock and a look again in the transaction, the deletion, the start (sought and
    // inserted), and the bytes that are gone.
    assertEquals(7, DATABASE.statements(() -> store.trimLedger(LEDGER, LATER, 100)));
    assertEquals(1, store.ledger(LEDGER, 1, 100).size());
  }
}
