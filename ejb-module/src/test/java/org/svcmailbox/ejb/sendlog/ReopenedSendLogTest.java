package org.svcmailbox.ejb.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.topic.TopicStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;
import org.svcmailbox.ejb.topic.JpaTopicStore;

/** What the embedded file still knows after the process that wrote it is gone. */
class ReopenedSendLogTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  private static final Instant LATER = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void aBatchInDoubtCanBeWithdrawnAfterARestart() throws KeyTakenException, SQLException {
    SampleShard shard = new SampleShard(1, 0);
    Row confirmed = shard.row("a", LATER);
    log().reserve(SampleBatch.of(3, 1, List.of(confirmed)));
    List<Row> doubtful = shard.rows("b", 5, LATER);
    log().reserve(SampleBatch.of(3, 2, doubtful));

    DATABASE.reopen();

    assertEquals(List.of(3), log().workers());
    assertEquals(2, log().lastBatch(3).last().number());
    assertEquals(6, log().ledgerHead(1, 0).seq());
    log().withdraw(3, 2);
    assertEquals(LedgerHead.after(confirmed.entry()), log().ledgerHead(1, 0));
    assertEquals(1, log().countKeys());
  }

  @Test
  void anIdIsNotUsedAgainAfterARestart() throws SQLException {
    TopicName name = new TopicName("orders");
    int before = topics().create(name, TopicStoreContract.PLAIN).id();
    topics().delete(name);

    DATABASE.reopen();

    assertNotEquals(before, topics().create(name, TopicStoreContract.PLAIN).id());
  }

  private static SendLog log() {
    return new JpaSendLog(DATABASE.transactions(), InstantSource.system());
  }

  private static TopicStore topics() {
    return new JpaTopicStore(DATABASE.transactions());
  }
}
