package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.mailbox.SampleMailbox;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * Workers of several groups under load, with steps that span all of them: their sessions are lost,
 * and they give groups to each other.
 */
@Order(1)
@ExtendWith(Brokers.Lender.class)
final class SeveralGroupsOnArtemisTest {
  private static final int GROUPS = 4;
  private static final int SHARDS = 8;
  private static final int ROUNDS = 12;
  private static final int EACH = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final long MOST_NANOS = Duration.ofMillis(12).toNanos();

  @ParameterizedTest
  @EnumSource
  void everySendIsThereOnceHoweverOftenTheSessionIsLost(
      Way way, Brokers brokers, TestReporter reporter) {
    ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    InMemoryProjectionStore store = new InMemoryProjectionStore();
    try (ArtemisBroker broker = fixture.adapter(way);
        MailboxOnArtemis mailbox = new MailboxOnArtemis(broker, store, Map.of(), SHARDS, GROUPS)) {
      int lost = 0;
      for (int round = 0; round < ROUNDS; round++) {
        // A commit says that the worker has a session.
        untilAccepted(mailbox, "first" + round);
        lost += round(fixture, mailbox, round);
      }
      assertTrue(lost > 0, "no SEND was under way when its session was lost");
      int all = ROUNDS * (1 + EACH);
      reporter.publishEntry("lost", way + ": " + lost + " of " + all + " were repeated");
      assertEquals(all, mailbox.mailbox().registry().countKeys());
      assertEquals(all, messages(broker));
      Deadline.in(PATIENCE).await(() -> entries(mailbox) == all, () -> "all ledger entries");
    }
  }

  /** A client sends, and one at each node receives and acknowledges, while groups move. */
  @ParameterizedTest
  @EnumSource
  void groupsThatMoveUnderLoadLoseNothingAndKeepTheOrderOfTheirShards(
      Way way, Brokers brokers, TestReporter reporter) {
    ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    InMemoryProjectionStore store = new InMemoryProjectionStore();
    try (ArtemisBroker broker = fixture.adapter(way)) {
      // The first start makes the logs.
      new MailboxOnArtemis(broker, store, Map.of(), SHARDS, GROUPS).close();
    }
    try (ArtemisBroker one = fixture.adapter(way);
        ArtemisBroker other = fixture.adapter(way);
        MailboxOnArtemis first = MailboxOnArtemis.joining(one, store, SHARDS, GROUPS);
        MailboxOnArtemis second = MailboxOnArtemis.joining(other, store, SHARDS, GROUPS)) {
      MovingLoad load = new MovingLoad(List.of(first, second), GROUPS, SHARDS);
      load.begin();
      int moves = 0;
      while (!load.isOver()) {
        load.move(moves++ % GROUPS);
      }
      load.end();
      assertTrue(moves > 10, () -> "only " + load);
      assertTrue(load.refused() > 0, () -> "no call met a group that was away: " + load);
      reporter.publishEntry("moves", way + ": " + moves + "; " + load);
      assertEquals(0, messages(one));
      Deadline.in(PATIENCE)
          .await(() -> entries(first) == load.sent(), () -> "all ledger entries of " + load);
      assertEquals("", first.mailbox().storeMismatch() + second.mailbox().storeMismatch());
    }
  }

  /** Every third message is leased, so the heir's search leaves others between them ready. */
  @ParameterizedTest
  @EnumSource
  void leasesGoWithTheirGroupsWhereverTheirMessagesAre(Way way, Brokers brokers) {
    ArtemisFixture fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    InMemoryProjectionStore store = new InMemoryProjectionStore();
    try (ArtemisBroker broker = fixture.adapter(way)) {
      new MailboxOnArtemis(broker, store, Map.of(), SHARDS, GROUPS).close();
    }
    try (ArtemisBroker one = fixture.adapter(way);
        ArtemisBroker other = fixture.adapter(way);
        MailboxOnArtemis giver = MailboxOnArtemis.joining(one, store, SHARDS, GROUPS);
        MailboxOnArtemis heir = MailboxOnArtemis.joining(other, store, SHARDS, GROUPS)) {
      takeAll(giver);
      for (int i = 0; i < EACH; i++) {
        untilAccepted(giver, "k" + i);
      }
      List<LeasedMessage> leased = receive(giver, EACH);
      assertEquals(EACH, leased.size());
      List<LeasedMessage> kept =
          IntStream.range(0, EACH / 3).mapToObj(i -> leased.get(3 * i)).toList();
      leased.stream()
          .filter(message -> !kept.contains(message))
          .forEach(message -> giveBack(giver, message));
      IntStream.range(0, GROUPS)
          .mapToObj(WorkerId::of)
          .forEach(group -> SampleMailbox.giveAway(giver.mailbox(), group));
      takeAll(heir);
      List<LeasedMessage> rest = receive(heir, EACH - kept.size());
      assertEquals(EACH - kept.size(), rest.size());
      Stream.concat(kept.stream(), rest.stream())
          .forEach(message -> assertInstanceOf(Done.class, settle(heir, ack(message))));
      assertEquals(0, messages(other));
      Deadline.in(PATIENCE).await(() -> entries(heir) == EACH, () -> "all ledger entries");
    }
  }

  private static void takeAll(MailboxOnArtemis node) {
    for (int group = 0; group < GROUPS; group++) {
      WorkerId id = WorkerId.of(group);
      SampleMailbox.take(node.mailbox(), id);
      Deadline.in(PATIENCE).await(() -> SampleMailbox.holds(node.mailbox(), id), id::toString);
    }
  }

  /** One RECV may find fewer, because the broker is still delivering. */
  private static List<LeasedMessage> receive(MailboxOnArtemis node, int count) {
    List<LeasedMessage> all = new ArrayList<>();
    Deadline.in(PATIENCE)
        .await(() -> all.addAll(some(node)) && all.size() >= count, () -> all.size() + " messages");
    return all;
  }

  private static List<LeasedMessage> some(MailboxOnArtemis node) {
    RecvRequest request =
        new RecvRequest(MailboxOnArtemis.TOPIC, LONG, EACH, Long.MAX_VALUE, Duration.ZERO, null);
    RecvOutcome outcome =
        node.mailbox().recv(SampleCallers.OPERATOR, request).outcome().toCompletableFuture().join();
    return assertInstanceOf(RecvOutcome.Delivered.class, outcome).messages();
  }

  private static SettleRequest ack(LeasedMessage message) {
    return new SettleRequest.Ack(message.message().envelope().msgId(), message.receipt());
  }

  private static void giveBack(MailboxOnArtemis node, LeasedMessage message) {
    MsgId id = message.message().envelope().msgId();
    SettleRequest nack = new SettleRequest.Nack(id, message.receipt(), "no", Duration.ZERO);
    assertInstanceOf(Done.class, settle(node, nack));
  }

  private static SettleOutcome settle(MailboxOnArtemis node, SettleRequest request) {
    return node.mailbox().settle(SampleCallers.OPERATOR, request).toCompletableFuture().join();
  }

  /** Returns how many SENDs had to be repeated. */
  private static int round(ArtemisFixture fixture, MailboxOnArtemis mailbox, int round) {
    List<String> keys = IntStream.range(0, EACH).mapToObj(i -> "k" + round + "-" + i).toList();
    List<CompletionStage<SendOutcome>> under = keys.stream().map(mailbox::submit).toList();
    LockSupport.parkNanos(MOST_NANOS * round / ROUNDS);
    fixture.loseConnection(QueueNames.log(WorkerId.of(round % GROUPS)));
    int repeated = 0;
    for (int i = 0; i < EACH; i++) {
      if (!isAccepted(under.get(i).toCompletableFuture().join())) {
        untilAccepted(mailbox, keys.get(i));
        repeated++;
      }
    }
    return repeated;
  }

  private static void untilAccepted(MailboxOnArtemis mailbox, String key) {
    Deadline.in(PATIENCE).await(() -> isAccepted(mailbox.send(key)), () -> key);
  }

  private static boolean isAccepted(SendOutcome outcome) {
    return outcome instanceof Accepted;
  }

  private static long messages(ArtemisBroker broker) {
    return IntStream.range(0, SHARDS)
        .mapToLong(shard -> broker.messages(new ShardId(MailboxOnArtemis.TOPIC, shard)))
        .sum();
  }

  private static int entries(MailboxOnArtemis mailbox) {
    int all = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
      List<LedgerEntry> entries =
          mailbox.mailbox().storedLedgers().entries(new LedgerId(1, shard), 1, Integer.MAX_VALUE);
      assertEquals(
          new LedgerVerdict.Intact(entries.size()), LedgerVerdict.check(LedgerHead.EMPTY, entries));
      all += entries.size();
    }
    return all;
  }
}
