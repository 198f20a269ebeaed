package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoreStanding;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * The entries of a worker's batch log come back to it in time and whole, however fast batches
 * follow.
 */
@ExtendWith(Brokers.Lender.class)
final class LogUnderLoadTest {
  private static final int SENDERS = 64;
  private static final int EACH = 160;
  private static final int ALL = 1 + SENDERS * EACH;

  /** More than the log has at first, and less than one batch for each round of SENDs makes it. */
  private static final int WINDOW = BatchLogEntry.SEED + EACH / 2;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  @ParameterizedTest
  @EachWay
  void noSendIsRefused(Way way) throws Exception {
    ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
    InMemoryProjectionStore store = new InMemoryProjectionStore();
    Map<String, String> settings = Map.of("mailbox.projection.entries", Integer.toString(WINDOW));
    try (ArtemisBroker broker = fixture.adapter(way);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker, store, settings)) {
      awaitEntries(BatchLogEntry.SEED);
      // Only then is all of the log there for certain.
      Deadline.in(PATIENCE).await(() -> isAccepted(mailbox.send("first")), () -> "the log");
      List<Future<List<String>>> refusals =
          IntStream.range(0, SENDERS)
              .mapToObj(sender -> senders.submit(() -> refusals(mailbox, sender)))
              .toList();
      for (Future<List<String>> each : refusals) {
        assertEquals(List.of(), each.get());
      }
      assertEquals(ALL, mailbox.mailbox().registry().countKeys());
      awaitEntries(WINDOW);
      assertEquals(
          new LedgerVerdict.Intact(ALL),
          LedgerVerdict.check(
              LedgerHead.EMPTY,
              mailbox.mailbox().storedLedgers().entries(new LedgerId(1, 0), 1, ALL + 1)));
      assertEquals(ALL, store.countKeys());
    } finally {
      senders.shutdownNow();
    }
  }

  /** The broker counts what a commit adds before what it ends. */
  private void awaitEntries(int expected) {
    SimpleString log = QueueNames.log(WorkerId.of(0));
    Deadline.in(PATIENCE)
        .await(
            () -> fixture.count(log) == expected,
            () -> expected + " and not " + fixture.count(log));
  }

  /** Why SENDs of one sender, each after the answer to the one before, were refused. */
  private static List<String> refusals(MailboxOnArtemis mailbox, int sender) {
    return IntStream.range(0, EACH)
        .mapToObj(i -> mailbox.send("s" + sender + "-" + i))
        .filter(outcome -> !isAccepted(outcome))
        .map(LogUnderLoadTest::reason)
        .toList();
  }

  private static boolean isAccepted(SendOutcome outcome) {
    return outcome instanceof Accepted;
  }

  private static String reason(SendOutcome outcome) {
    return outcome instanceof Refusal refusal ? refusal.reason() : outcome.toString();
  }

  /** The broker stores a large message in a file of its own, beside the journal. */
  @ParameterizedTest
  @EachWay
  void theLargestBatchIsAnOrdinaryMessageAndIsReadBackEqual(Way way) {
    BatchPages pages = BatchPages.of(largest());
    List<BatchLogEntry> added;
    try (ArtemisBroker broker = fixture.adapter(way);
        BrokerSession session = SampleLog.open(broker, 0)) {
      BatchLog log = whole(session);
      BatchLog.Change change = log.append(SampleBatch.id(1), pages, BatchId.NONE);
      session.log(WorkerId.of(0)).stage(change);
      session.commit();
      added = change.added();
    }
    BatchLogEntry record = added.get(0);
    assertTrue(record.body().remaining() > 90_000, record.body()::toString);
    assertEquals(
        List.of(),
        fixture.browse(QueueNames.log(WorkerId.of(0))).stream().filter(this::isLarge).toList());

    SendRegistry database = new SendRegistry(new InMemoryProjectionStore(), System::nanoTime);
    for (Way other : Way.values()) {
      try (ArtemisBroker broker = fixture.adapter(other);
          BrokerSession session = SampleLog.open(broker, 0)) {
        List<BatchLogEntry> arrived = new ArrayList<>();
        BatchLog log = new BatchLog(SampleLog.WINDOW, 7);
        log.receive(
            atMost -> {
              List<BatchLogEntry> some = session.log(WorkerId.of(0)).receive(atMost);
              arrived.addAll(some);
              return some;
            },
            System::nanoTime,
            PATIENCE);
        assertTrue(arrived.containsAll(added), "as it was sent, through " + other);
        Batch read = StoreStanding.of(WorkerId.of(0), log, database).records().get(0);
        assertEquals(SampleBatch.id(1), read.id());
        assertEquals(Batch.MAX_ROWS, read.pages().keys().size());
        assertEquals(Batch.MAX_ROWS, read.pages().ledgers().size());
      }
    }
  }

  /** Each row is the only one of its ledger, and has an expiry of its own. */
  private static List<Row> largest() {
    return IntStream.range(0, Batch.MAX_ROWS)
        .mapToObj(i -> new SampleShard(1 + i, i % 7).row("k" + i, LATER.plusSeconds(i)))
        .toList();
  }

  private static BatchLog whole(BrokerSession session) {
    BatchLog log = new BatchLog(SampleLog.WINDOW, 7);
    log.receive(session.log(WorkerId.of(0))::receive, System::nanoTime, PATIENCE);
    assertFalse(log.lastBatch().number() > 0, "a new log");
    return log;
  }

  private boolean isLarge(Received received) {
    return received.message().isLargeMessage();
  }
}
