package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.delivery.TopicContents.ScheduledPage;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerService.Stretch;
import org.svcmailbox.core.ledger.LedgerVerdict.Intact;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.PreconditionException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.test.concurrent.OwnThread;

/** Administration of a topic in use. */
class TopicAdministrationTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "2", "mailbox.ready_shards", "3"));

  private void put(TopicOverrides overrides) {
    rig.operate(
        () -> rig.mailbox().topicAdmin().put(rig.caller, ORDERS, overrides, Precondition.NONE));
  }

  private void shards(int shards) {
    put(TopicOverrides.NONE.withReadyShards(shards));
  }

  private void retain(RetentionOverrides retention) {
    put(new TopicOverrides(null, null, null, null, null, null, null, retention));
  }

  private void pause() {
    rig.operate(() -> rig.mailbox().topicAdmin().pause(rig.caller, ORDERS));
  }

  private void resume() {
    rig.operate(() -> rig.mailbox().topicAdmin().resume(rig.caller, ORDERS));
  }

  private long purge() {
    return rig.operate(() -> rig.mailbox().topicContents().purge(rig.caller, ORDERS));
  }

  private List<String> peek(@Nullable Integer shard, int limit) {
    return rig
        .operate(() -> rig.mailbox().topicContents().peek(rig.caller, ORDERS, shard, limit))
        .stream()
        .map(message -> new String(message.payload().bytes(), StandardCharsets.UTF_8))
        .toList();
  }

  private TopicStatus status() {
    return rig.mailbox().topicAdmin().status(rig.caller, ORDERS);
  }

  private void send(int from, int to) {
    for (int i = from; i < to; i++) {
      assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k" + i, "m" + i));
    }
  }

  private List<LeasedMessage> recv(int max) {
    return assertInstanceOf(Delivered.class, rig.recvNow("orders", max)).messages();
  }

  /** Each RECV is answered by one worker, so this takes from all of them. */
  private List<LeasedMessage> holdAll() {
    List<LeasedMessage> held = new ArrayList<>();
    for (List<LeasedMessage> some = recv(100); !some.isEmpty(); some = recv(100)) {
      held.addAll(some);
    }
    return held;
  }

  private List<String> takeAll() {
    List<String> taken = new ArrayList<>();
    for (List<LeasedMessage> some = recv(100); !some.isEmpty(); some = recv(100)) {
      for (LeasedMessage one : some) {
        taken.add(new String(one.message().payload().bytes(), StandardCharsets.UTF_8));
        assertEquals(SettleOutcome.DONE, rig.ack(one.message().envelope().msgId(), one.receipt()));
      }
    }
    return taken.stream().sorted().toList();
  }

  private static List<String> messages(int from, int to) {
    List<String> names = new ArrayList<>();
    for (int i = from; i < to; i++) {
      names.add("m" + i);
    }
    return names.stream().sorted().toList();
  }

  private static String refused(Object outcome) {
    return assertInstanceOf(Refusal.class, outcome).reason();
  }

  /** The watch has the shards of a list that it made before the deletion. */
  @Test
  void aDeletedTopicLeavesNoCounters() {
    shards(256);
    for (int i = 0; i < 2_000; i++) {
      assertFalse(rig.submit("orders", "key-" + i).isDone());
    }
    rig.run();
    rig.operate(() -> rig.mailbox().queues().step());
    rig.operate(() -> rig.mailbox().topicAdmin().delete(rig.caller, ORDERS));

    rig.operate(() -> rig.mailbox().queues().step());
    assertEquals(Set.of(), rig.mailbox().limits().topics().names());

    ShardId gone = new ShardId(ORDERS, 0);
    rig.mailbox().queues().brokerMoved(gone, ORDERS, DeadLetterReason.EXPIRED, 1);
    rig.mailbox().limits().counters(gone);
    assertEquals(Set.of(ORDERS), rig.mailbox().limits().topics().names());
    rig.operate(() -> rig.mailbox().queues().step());
    assertEquals(Set.of(), rig.mailbox().limits().topics().names());
  }

  @Test
  void aTopicWhoseMakingWasCutOffIsMadeWholeAtStart() {
    rig.broker.goDown();
    assertThrows(CompletionException.class, () -> put(TopicOverrides.NONE));
    rig.broker.comeBack();
    rig.crash();
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k", "x"));
    List<ShardId> empty =
        rig.mailbox().directory().existing(ORDERS).shards().stream()
            .filter(shard -> rig.broker.messages(shard) == 0)
            .toList();
    assertEquals(2, empty.size());
    rig.broker.deleteQueue(empty.get(0));
    rig.crash();
    assertEquals(List.of(), rig.broker.createMissing(rig.mailbox().directory().all()));
    assertEquals(1, ((Delivered) rig.recvNow("orders", 10)).messages().size());
  }

  @Test
  void moreThanAWorkersInboxHoldsCannotWaitForAShard() {
    put(capacity(40_000));
    SchemaException refused =
        assertThrows(
            SchemaException.class,
            () ->
                rig.mailbox()
                    .topicAdmin()
                    .put(rig.caller, ORDERS, capacity(40_001), Precondition.NONE));
    assertEquals(
        List.of(new FieldViolation("shard_capacity", "must be between 1 and 40000")),
        refused.violations());
    assertEquals(40_000, rig.mailbox().directory().existing(ORDERS).settings().shardCapacity());
  }

  private static TopicOverrides capacity(int capacity) {
    return new TopicOverrides(
        null, capacity, null, null, null, null, null, RetentionOverrides.NONE);
  }

  @Test
  void aWorkerThatWasOpeningItsSessionServesTheShardsThatTheTopicGotMeanwhile() {
    send(0, 5);
    assertEquals(5, holdAll().size());
    rig.broker.crash();
    rig.run();
    assertFalse(rig.mailbox().isHealthy());
    shards(9);
    while (!rig.mailbox().isHealthy()) {
      rig.pass(Duration.ofMillis(50));
    }
    send(5, 50);
    assertEquals(50, holdAll().size(), "with those whose leases were lost");
  }

  @Test
  void aWorkerThatWasOpeningItsSessionTakesATopicThatWasMadeAgainMeanwhileForAnother() {
    send(0, 5);
    assertEquals(5, holdAll().size());
    rig.broker.crash();
    rig.run();
    assertFalse(rig.mailbox().isHealthy());
    rig.operate(() -> rig.mailbox().topicAdmin().delete(rig.caller, ORDERS));
    put(TopicOverrides.NONE);
    while (!rig.mailbox().isHealthy()) {
      rig.pass(Duration.ofMillis(50));
    }
    send(0, 5);
    Limits limits = rig.mailbox().limits();
    List<ShardId> shards = rig.mailbox().directory().openShards(ORDERS);
    assertEquals(5, shards.stream().mapToLong(shard -> limits.counters(shard).depth()).sum());
    assertEquals("", rig.mailbox().storeMismatch(), "numbers begin anew");
    assertEquals(5, holdAll().size());
  }

  @Test
  void aSendToAShardWithoutItsQueueIsRefusedAloneAndTheQueueIsMadeAgain() {
    send(0, 1);
    int opened = rig.broker.opened();
    LeasedMessage held = ((Delivered) rig.recvNow("orders", 1)).messages().get(0);
    rig.send("other", "first", "x");
    rig.mailbox().directory().openShards(new TopicName("other")).forEach(rig.broker::deleteQueue);
    CompletableFuture<SendOutcome> lacking = rig.submit("other", "second");
    CompletableFuture<SendOutcome> beside = rig.submit("orders", "second");
    rig.run();
    assertEquals("queue_missing", refused(lacking.join()));
    assertInstanceOf(SendOutcome.Accepted.class, beside.join());
    assertEquals(opened, rig.broker.opened(), "no worker lost its session");
    assertInstanceOf(
        SettleOutcome.Done.class, rig.ack(held.message().envelope().msgId(), held.receipt()));
    rig.operate(() -> rig.mailbox().queues().step());
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("other", "second", "x"));
  }

  @Test
  void aDeletionThatFailedIsFinishedByItselfAndThereIsNoTopicUntilThen() {
    send(0, 1);
    int opened = rig.broker.opened();
    rig.send("other", "first", "x");
    LeasedMessage held = ((Delivered) rig.recvNow("other", 1)).messages().get(0);
    rig.broker.failNextDeletion(1);
    assertThrows(
        CompletionException.class,
        () -> rig.operate(() -> rig.mailbox().topicAdmin().delete(rig.caller, ORDERS)));
    assertEquals("topic_changed", refused(rig.send("orders", "again", "x")));
    assertEquals("topic_changed", refused(rig.recvNow("orders", 1)));
    assertThrows(CompletionException.class, () -> put(TopicOverrides.NONE));
    assertThrows(CompletionException.class, this::pause);
    rig.operate(() -> rig.mailbox().queues().step());
    assertTrue(rig.mailbox().directory().find(ORDERS).isEmpty());
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "again", "x"));
    assertEquals(1, ((Delivered) rig.recvNow("orders", 10)).messages().size());
    assertEquals(opened, rig.broker.opened(), "no worker lost its session");
    assertInstanceOf(
        SettleOutcome.Done.class, rig.ack(held.message().envelope().msgId(), held.receipt()));
  }

  @Test
  void aPausedTopicTakesMessagesAndHandsNoneOut() {
    send(0, 3);
    pause();
    send(3, 5);
    assertEquals(List.of(), recv(100));
    assertTrue(status().topic().state().paused());
    assertEquals(5, status().ready());

    resume();

    assertEquals(messages(0, 5), takeAll());
  }

  @Test
  void whatIsInFlightCanBeSettledWhileTheTopicIsPaused() {
    send(0, 2);
    List<LeasedMessage> held = holdAll();
    pause();

    assertEquals(
        SettleOutcome.DONE,
        rig.ack(held.get(0).message().envelope().msgId(), held.get(0).receipt()));
    assertEquals(
        SettleOutcome.DONE,
        rig.nack(held.get(1).message().envelope().msgId(), held.get(1).receipt(), Duration.ZERO));

    assertEquals(List.of(), recv(10));
    assertEquals(1, status().ready());
  }

  @Test
  void aTopicStaysPausedThroughARestart() {
    send(0, 1);
    pause();
    rig.crash();
    assertEquals(List.of(), recv(1));
    resume();
    rig.crash();
    assertEquals(1, recv(1).size());
  }

  @Test
  void aCallThatWaitsIsServedWhenItsTopicGoesOnAndNotBefore() {
    send(0, 1);
    pause();
    MailboxService.PendingRecv call = rig.recv("orders", 1, SECOND, Duration.ofSeconds(30));
    rig.pass(Duration.ofSeconds(5));
    assertFalse(call.outcome().toCompletableFuture().isDone());

    resume();

    assertEquals(
        1,
        assertInstanceOf(Delivered.class, MailboxRig.answered(call.outcome())).messages().size());
  }

  @Test
  void onlyATopicThatExistsCanBePaused() {
    assertThrows(NotFoundException.class, () -> unwrapped(this::pause));
  }

  @Test
  void peekingTakesNothingAndSpendsNoAttempt() {
    send(0, 5);
    List<String> seen = peek(null, 100);
    assertEquals(messages(0, 5), seen.stream().sorted().toList());
    assertEquals(2, peek(null, 2).size());
    for (LeasedMessage one : holdAll()) {
      assertEquals(1, one.message().envelope().attempt());
    }
    assertEquals(List.of(), peek(null, 100), "all are in flight");
  }

  @Test
  void peekingLooksAtTheShardThatIsNamed() {
    send(0, 20);
    List<String> apart = new ArrayList<>();
    for (int shard = 0; shard < 3; shard++) {
      apart.addAll(peek(shard, 100));
    }
    assertEquals(messages(0, 20), apart.stream().sorted().toList());
    assertEquals(peek(null, 100), apart, "by shard and then in order");
    assertThrows(NotFoundException.class, () -> unwrapped(() -> peek(3, 1)));
  }

  @Test
  void peekingDoesNotKeepAMessageFromACallThatWaits() {
    pauseless();
    MailboxService.PendingRecv call = rig.recv("orders", 1, SECOND, Duration.ofSeconds(30));
    assertEquals(List.of(), peek(null, 10));
    send(0, 1);
    assertTrue(call.outcome().toCompletableFuture().isDone());
  }

  private void pauseless() {
    send(100, 101);
    assertEquals(1, recv(1).size());
  }

  @Test
  void purgingRemovesWhatIsReadyOrDelayedAndLeavesWhatIsInFlight() {
    send(0, 10);
    assertEquals(4, recv(4).size());
    rig.send("orders", "later", "later", null, Duration.ofHours(1));

    assertEquals(7, purge());

    assertEquals(4, status().inflight());
    assertEquals(0, status().ready());
    assertEquals(0, status().delayed());
    rig.pass(SECOND);
    assertEquals(4, takeAll().size(), "their leases ran out");
    AuditEntry last = rig.audit.get(rig.audit.size() - 1);
    assertEquals("topic.purge", last.action());
    assertEquals("orders", last.subject());
  }

  @Test
  void purgingWithTheBrokerAwayIsRefused() {
    send(0, 2);
    rig.broker.goDown();
    assertThrows(UnavailableException.class, () -> unwrapped(this::purge));
    rig.broker.comeBack();
    rig.pass(Duration.ofSeconds(10));
    assertEquals(2, takeAll().size());
  }

  @Test
  void moreShardsTakeWhatIsSentFromThenOnAndTheOldOnesStayReadable() {
    send(0, 30);
    shards(7);
    send(30, 60);
    assertEquals(7, status().topic().shards().size());
    assertEquals(messages(0, 60), takeAll());
  }

  @Test
  void fewerShardsAreReadUntilTheyAreEmptyAndThenClosed() {
    send(0, 30);
    shards(1);
    send(30, 40);
    rig.mailbox().queues().step();
    assertEquals(3, status().topic().shards().size());
    assertEquals(2, told(Family.TOPIC_REBALANCING, "orders"));

    assertEquals(messages(0, 40), takeAll());
    closeShards();

    assertEquals(1, status().topic().shards().size());
    assertEquals(0, told(Family.TOPIC_REBALANCING, "orders"));
    send(40, 50);
    assertEquals(messages(40, 50), takeAll());
  }

  private void closeShards() {
    for (int i = 0; i < 6; i++) {
      rig.operate(() -> rig.mailbox().queues().step());
    }
  }

  @Test
  void aShardIsNotClosedUnderALease() {
    send(0, 30);
    shards(1);
    List<LeasedMessage> held = holdAll();
    closeShards();
    assertEquals(3, status().topic().shards().size());

    for (LeasedMessage one : held) {
      assertEquals(SettleOutcome.DONE, rig.ack(one.message().envelope().msgId(), one.receipt()));
    }
    closeShards();
    assertEquals(1, status().topic().shards().size());
  }

  @Test
  void aLateAnswerToAClosedShardIsStaleAndHarmsNothing() {
    send(0, 30);
    shards(1);
    List<LeasedMessage> held = holdAll();
    rig.pass(SECOND);
    takeAll();
    closeShards();
    assertEquals(1, status().topic().shards().size());
    send(30, 31);
    List<LeasedMessage> other = recv(1);

    for (LeasedMessage one : held) {
      assertFalse(
          rig.ack(one.message().envelope().msgId(), one.receipt()) instanceof SettleOutcome.Done);
    }
    assertEquals(
        SettleOutcome.DONE,
        rig.ack(other.get(0).message().envelope().msgId(), other.get(0).receipt()));
    assertEquals(2, rig.broker.openSessions(), "no session was lost");
  }

  @Test
  void aSendThatWasOnItsWayToAShardThatTakesNothingAnyMoreIsRefused() {
    send(0, 1);
    List<CompletableFuture<SendOutcome>> under = new ArrayList<>();
    for (int i = 10; i < 40; i++) {
      under.add(rig.submit("orders", "k" + i, "m" + i));
    }
    CompletableFuture<Boolean> put =
        CompletableFuture.supplyAsync(
            () ->
                rig.mailbox()
                    .topicAdmin()
                    .put(
                        rig.caller,
                        ORDERS,
                        TopicOverrides.NONE.withReadyShards(1),
                        Precondition.NONE),
            OwnThread.EXECUTOR);
    while (rig.mailbox().directory().existing(ORDERS).settings().readyShards() != 1) {
      Thread.onSpinWait();
    }
    while (!put.isDone()) {
      rig.run();
    }
    rig.run();
    long refused = under.stream().filter(one -> one.join() instanceof Refusal).count();
    assertTrue(refused > 0 && refused < 30, "refused " + refused);
    under.stream()
        .map(CompletableFuture::join)
        .filter(Refusal.class::isInstance)
        .forEach(one -> assertEquals("topic_changed", refused(one)));
    assertEquals(31 - refused, takeAll().size());
  }

  @Test
  void shardsThatWereClosedComeBackWithTheirLedgers() {
    send(0, 30);
    shards(1);
    takeAll();
    closeShards();
    shards(3);
    send(30, 60);
    assertEquals(messages(30, 60), takeAll());
    long entries = 0;
    for (int shard = 0; shard < 3; shard++) {
      Intact intact =
          assertInstanceOf(
              Intact.class, rig.mailbox().ledgers().verify(rig.caller, ORDERS, shard, 1));
      entries += intact.upTo();
    }
    assertEquals(60, entries);
  }

  @Test
  void aLedgerIsReadInStretchesThatContinueEachOther() {
    shards(1);
    send(0, 25);
    Stretch first = rig.mailbox().ledgers().ledger(rig.caller, ORDERS, 0, 1, 10);
    Stretch second = rig.mailbox().ledgers().ledger(rig.caller, ORDERS, 0, 11, 100);
    assertEquals(10, first.entries().size());
    assertEquals(15, second.entries().size());
    assertEquals(0, first.start().seq());
    assertEquals(first.entries().get(9).link(), second.start().link());
    assertEquals(new Intact(25), rig.mailbox().ledgers().verify(rig.caller, ORDERS, 0, 20));
    assertThrows(
        NotFoundException.class,
        () -> rig.mailbox().ledgers().ledger(rig.caller, ORDERS, 0, 27, 10));
    assertThrows(
        NotFoundException.class,
        () -> rig.mailbox().ledgers().ledger(rig.caller, ORDERS, 1, 1, 10));
  }

  /** Only SEND, RECV and an operator create topics. */
  @Test
  void aLookAtAMissingTopicCreatesNone() {
    TopicName missing = new TopicName("missing");
    Mailbox mailbox = rig.mailbox();
    for (Executable look :
        List.<Executable>of(
            () -> mailbox.topicAdmin().status(rig.caller, missing),
            () -> mailbox.topicContents().peek(rig.caller, missing, null, 1),
            () -> mailbox.topicContents().purge(rig.caller, missing),
            () -> mailbox.ledgers().ledger(rig.caller, missing, 0, 1, 1))) {
      assertThrows(NotFoundException.class, look);
    }
    assertEquals(Optional.empty(), mailbox.directory().find(missing));
  }

  @Test
  void aTopicThatHoldsAllItMayRefusesMoreUntilSomethingGoes() {
    retain(new RetentionOverrides(null, 3, null, null, null, null));
    send(0, 3);
    assertEquals("retention_ready_count", refused(rig.send("orders", "k3", "m3")));
    assertTrue(
        assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k0", "m0")).duplicate(),
        "what is there already is no more");
    assertEquals(1, told(Family.SATURATION, "orders"));

    LeasedMessage one = recv(1).get(0);
    assertEquals("retention_ready_count", refused(rig.send("orders", "k3", "m3")));
    rig.ack(one.message().envelope().msgId(), one.receipt());

    send(3, 4);
  }

  @Test
  void aTopicWhoseMessagesTakeAllTheyMayRefusesMoreAlsoAfterARestart() {
    retain(new RetentionOverrides(null, null, 5_000L, null, null, null, null));
    String large = "x".repeat(3_000);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k0", large));
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k1", large));
    assertEquals("retention_ready_bytes", refused(rig.send("orders", "k2", "m2")));
    assertEquals(1, told(Family.SATURATION, "orders"));
    assertTrue(told(Family.QUEUE_BYTES, "orders") > 6_000);
    rig.crash();
    assertEquals("retention_ready_bytes", refused(rig.send("orders", "k2", "m2")));
    assertTrue(
        assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k0", large)).duplicate());

    LeasedMessage one = recv(1).get(0);
    assertEquals("retention_ready_bytes", refused(rig.send("orders", "k2", "m2")), "leased");
    rig.ack(one.message().envelope().msgId(), one.receipt());
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k2", "m2"));
    retain(RetentionOverrides.NONE);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k3", large));
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("orders", "k4", large));
  }

  @Test
  void aBatchIsTakenUntilItTakesWhatItMay() {
    RetentionOverrides bytes = new RetentionOverrides(null, null, 4_000L, null, null, null, null);
    put(new TopicOverrides(1, null, null, null, null, null, null, bytes));
    List<CompletableFuture<SendOutcome>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(rig.submit("orders", "k" + i));
    }
    rig.run();
    long taken = all.stream().filter(one -> one.join() instanceof SendOutcome.Accepted).count();
    assertEquals(4, taken, "each of a kibibyte and what it weighs, as it is planned");
  }

  @Test
  void aBatchIsTakenAsFarAsThereIsRoom() {
    retain(new RetentionOverrides(null, 3, null, null, null, null));
    List<CompletableFuture<SendOutcome>> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(rig.submit("orders", "k" + i, "m" + i));
    }
    rig.run();
    long taken = all.stream().filter(one -> one.join() instanceof SendOutcome.Accepted).count();
    assertTrue(taken >= 3 && taken <= 6, "each of two workers may fill what it sees: " + taken);
    assertEquals(taken, status().ready());
  }

  @Test
  void noMoreOfATopicIsInFlightThanMayBe() {
    retain(new RetentionOverrides(null, null, null, 2, null, null));
    send(0, 5);
    List<LeasedMessage> held = recv(100);
    assertEquals(2, held.size());
    assertEquals("retention_inflight_count", refused(rig.recvNow("orders", 1)));
    rig.ack(held.get(0).message().envelope().msgId(), held.get(0).receipt());
    assertEquals(1, recv(100).size());
  }

  @Test
  void aLeaseCannotBeExtendedBeyondTheTopicsRetention() {
    retain(new RetentionOverrides(null, null, Duration.ofSeconds(7), null, null, null));
    send(0, 1);
    LeasedMessage one = recv(1).get(0);
    rig.pass(Duration.ofMillis(500));
    Duration left = Duration.ofMillis(6_500);
    assertEquals(new SettleOutcome.TooLong(left), extend(one, left.plusSeconds(1).plusMillis(1)));
    assertEquals(SettleOutcome.DONE, extend(one, left.dividedBy(2)));
    // The answer and the next call take a second at most.
    rig.pass(Duration.ofSeconds(1));
    assertEquals(SettleOutcome.DONE, extend(one, left));
    rig.pass(Duration.ofMillis(1));
    assertEquals(new SettleOutcome.TooLong(left.minusMillis(1_001)), extend(one, left));
  }

  @Test
  void withoutASettingALeaseLastsTwelveHoursAtMost() {
    Duration hour = Duration.ofHours(1);
    send(0, 1);
    LeasedMessage one = recv(1).get(0);
    assertEquals(SettleOutcome.DONE, extend(one, hour));
    for (int passed = 1; passed < 12; passed++) {
      rig.pass(hour.minusMillis(1));
      assertEquals(SettleOutcome.DONE, extend(one, hour));
    }
    assertEquals(new SettleOutcome.TooLong(hour.plusMillis(11)), extend(one, Duration.ofHours(2)));
  }

  private SettleOutcome extend(LeasedMessage message, Duration visibility) {
    return rig.settle(
        new SettleRequest.Extend(
            message.message().envelope().msgId(), message.receipt(), visibility));
  }

  @Test
  void aVisibilityBeyondTheTopicsRetentionIsRefused() {
    retain(new RetentionOverrides(null, null, Duration.ofSeconds(7), null, null, null));
    send(0, 1);
    assertThrows(
        SchemaException.class,
        () -> rig.recv("orders", 1, Duration.ofMillis(7_001), Duration.ZERO));
    assertEquals(1, takeAll().size());
  }

  /** A topic of one shard whose messages die at their first NACK. */
  private void putDeadly(int kept) {
    put(
        new TopicOverrides(
            1,
            null,
            null,
            1,
            null,
            null,
            null,
            new RetentionOverrides(null, null, null, null, null, kept)));
  }

  @Test
  void oneStepRemovesEveryDeadLetterThatIsTooMany() {
    putDeadly(3);
    int dead = 2 * DeadLetterWatch.TRIMMED + 5;
    for (int i = 0; i < dead; i += 100) {
      send(i, i + 100);
      for (LeasedMessage one : recv(100)) {
        rig.nack(one.message().envelope().msgId(), one.receipt(), null);
      }
    }
    assertTrue(rig.broker.deadLetters(ORDERS) >= dead);

    rig.mailbox().queues().step();

    assertEquals(3, rig.broker.deadLetters(ORDERS));
  }

  @Test
  void deadLettersBeyondWhatMayBeKeptGoTheOldestFirst() {
    putDeadly(3);
    send(0, 5);
    for (LeasedMessage one : recv(100)) {
      rig.nack(one.message().envelope().msgId(), one.receipt(), null);
    }
    assertEquals(5, rig.broker.deadLetters(ORDERS));

    rig.mailbox().queues().step();

    assertEquals(
        List.of("m2", "m3", "m4"),
        rig.broker.quarantined(ORDERS).stream()
            .map(letter -> letter.message())
            .map(message -> new String(message.payload().bytes(), StandardCharsets.UTF_8))
            .toList());
    assertEquals(3, told(Family.DLQ_DEPTH, "orders"));
    assertEquals(5, told(Family.DLQ_TOTAL, "orders"));
    assertEquals(2, told(Family.DLQ_ENDED_TOTAL, "count"));
  }

  @Test
  void settingsThatContradictEachOtherAreRefused() {
    assertThrows(
        SchemaException.class,
        () ->
            unwrapped(
                () ->
                    retain(
                        new RetentionOverrides(
                            null, null, Duration.ofSeconds(4), null, null, null))),
        "shorter than the default visibility");
    assertThrows(
        SchemaException.class,
        () ->
            unwrapped(
                () ->
                    put(
                        new TopicOverrides(
                            null,
                            null,
                            null,
                            null,
                            null,
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(1),
                            RetentionOverrides.NONE))),
        "a backoff that begins beyond its ceiling");
    assertEquals(List.of(), rig.mailbox().topicAdmin().list(rig.caller, TopicChoice.ALL).topics());
  }

  private MsgId sent(String key, Duration delay) {
    SendOutcome outcome = rig.send("orders", key, "x", null, delay);
    return assertInstanceOf(SendOutcome.Accepted.class, outcome).msgId();
  }

  private static List<MsgId> ids(ScheduledPage page) {
    return page.messages().stream().map(message -> message.envelope().msgId()).toList();
  }

  private Boolean cancel(MsgId msgId) {
    return rig.operate(
        () -> {
          rig.mailbox().topicContents().cancelScheduled(rig.caller, ORDERS, msgId);
          return Boolean.TRUE;
        });
  }

  @Test
  void aScheduledMessageThatIsCancelledIsGoneForGoodAndItsKeyStaysTaken() {
    MsgId ready = sent("ready", Duration.ZERO);
    MsgId gone = sent("gone", Duration.ofMinutes(2));
    MsgId left = sent("left", Duration.ofMinutes(1));

    TopicContents contents = rig.mailbox().topicContents();
    ScheduledPage page = contents.scheduled(rig.caller, ORDERS, Position.FIRST, 1);
    assertEquals(List.of(left), ids(page));
    ScheduledPage rest = contents.scheduled(rig.caller, ORDERS, requireNonNull(page.next()), 1);
    assertEquals(List.of(gone), ids(rest));
    assertNull(rest.next());

    cancel(gone);
    AuditEntry last = rig.audit.get(rig.audit.size() - 1);
    assertEquals(
        "topic.cancel orders " + gone, last.action() + " " + last.subject() + " " + last.note());
    assertEquals(1, status().delayed());
    assertEquals(2, rig.mailbox().limits().topics().of(ORDERS).messages().count());
    for (MsgId notScheduled : List.of(gone, ready)) {
      assertInstanceOf(
          NotFoundException.class,
          assertThrows(CompletionException.class, () -> cancel(notScheduled)).getCause());
    }
    rig.pass(Duration.ofMinutes(3));
    assertEquals(Set.of(ready, left), rig.broker.everything().keySet());
    assertEquals(new SendOutcome.Accepted(gone, true), rig.send("orders", "gone", "x"));
  }

  @Test
  void topicsBeyondThoseThatAreNamedAreToldTogether() {
    rig.crashInto(Map.of("mailbox.workers", "2", "mailbox.metrics.topics", "1"));
    rig.send("first", "a", "x");
    rig.send("second", "a", "x");
    rig.send("third", "a", "x");
    assertEquals(1, told(Family.QUEUE_DEPTH, "first"));
    assertEquals(2, told(Family.QUEUE_DEPTH, "other"));
    assertEquals(0, told(Family.QUEUE_DEPTH, "second"));
  }

  @Test
  void theOldestMessageThatIsReadyIsToldWithItsAge() {
    send(0, 3);
    rig.pass(Duration.ofSeconds(90));
    rig.mailbox().queues().step();
    assertEquals(90, told(Family.OLDEST_READY_AGE_SECONDS, "orders"));
    assertEquals(90_000, status().oldestReadyAgeMillis());
    assertEquals(3, takeAll().size());
    assertEquals(0, told(Family.OLDEST_READY_AGE_SECONDS, "orders"));
  }

  @Test
  void aMessageIsOverdueByTheTimeBeyondTheTopicsAge() {
    put(withReadyAge(Duration.ofSeconds(60)));
    send(0, 1);
    rig.pass(Duration.ofSeconds(60));
    rig.mailbox().queues().step();
    assertEquals(0, told(Family.MAILBOX_READY_OVERDUE_SECONDS, "orders"));
    rig.pass(Duration.ofSeconds(30));
    rig.mailbox().queues().step();
    assertEquals(30, told(Family.MAILBOX_READY_OVERDUE_SECONDS, "orders"));
    put(TopicOverrides.NONE);
    assertEquals(0, told(Family.MAILBOX_READY_OVERDUE_SECONDS, "orders"), "below five minutes");
    put(withReadyAge(SECOND));
    assertEquals(89, told(Family.MAILBOX_READY_OVERDUE_SECONDS, "orders"));
    assertEquals(1, takeAll().size());
    assertEquals(0, told(Family.MAILBOX_READY_OVERDUE_SECONDS, "orders"));
  }

  private static TopicOverrides withReadyAge(Duration age) {
    return new TopicOverrides(
        1, null, null, null, null, null, null, RetentionOverrides.NONE, age, null);
  }

  @Test
  void settingsChangeOnlyWhileTheConditionHolds() throws Throwable {
    shards(1);
    String read = status().topic().version();
    shards(2);
    long audited = rig.audit.stream().filter(entry -> entry.action().startsWith("topic.")).count();
    Precondition unchanged = Precondition.oneOf(Set.of(read));
    assertThrows(PreconditionException.class, () -> putIf(unchanged));
    assertThrows(PreconditionException.class, () -> putIf(Precondition.ABSENT));
    assertThrows(
        PreconditionException.class,
        () ->
            unwrapped(
                () ->
                    rig.operate(
                        () -> {
                          rig.mailbox()
                              .topicAdmin()
                              .change(rig.caller, ORDERS, unchanged, own -> TopicOverrides.NONE);
                          return null;
                        })));
    assertEquals(2, status().topic().settings().readyShards());
    assertEquals(
        audited,
        rig.audit.stream().filter(entry -> entry.action().startsWith("topic.")).count(),
        "a refused change is none");
    putIf(Precondition.oneOf(Set.of(status().topic().version())));
    assertEquals(9, status().topic().settings().readyShards());
  }

  private void putIf(Precondition precondition) throws Throwable {
    TopicOverrides nine = TopicOverrides.NONE.withReadyShards(9);
    unwrapped(
        () ->
            rig.operate(
                () -> rig.mailbox().topicAdmin().put(rig.caller, ORDERS, nine, precondition)));
  }

  @Test
  void whatAWorkerHasAtHandIsStillReadyAndHasAnAge() {
    send(0, 3);
    peek(null, 10);
    rig.pass(Duration.ofSeconds(20));
    rig.mailbox().queues().step();
    assertEquals(20, told(Family.OLDEST_READY_AGE_SECONDS, "orders"));
    assertEquals(20_000, status().oldestReadyAgeMillis());
  }

  /** The sum of a family's metrics that have this label value. */
  private double told(Family family, String label) {
    return rig.mailbox().metrics().stream()
        .filter(metric -> metric.family() == family)
        .filter(metric -> metric.tags().containsValue(label))
        .mapToDouble(metric -> metric.now())
        .reduce(0, family == Family.SATURATION ? Math::max : Double::sum);
  }

  private static void unwrapped(Runnable call) throws Throwable {
    try {
      call.run();
    } catch (CompletionException e) {
      throw e.getCause();
    }
  }

  @Test
  void theTopicOfWhatHasNoneIsMadeBeyondTheBoundAndOnce() {
    Map<String, String> settings =
        Map.of("mailbox.topics.max", "1", "mailbox.topics.auto_create", "false");
    MailboxRig full = new MailboxRig(1, settings);
    full.operate(
        () ->
            full.mailbox()
                .topicAdmin()
                .put(full.caller, ORDERS, TopicOverrides.NONE, Precondition.NONE));
    TopicDirectory topics = full.mailbox().directory();
    topics.requireUnsorted();
    topics.requireUnsorted();
    assertEquals(2, topics.size());
    Topic made = topics.find(TopicDirectory.UNSORTED).orElseThrow();
    assertEquals(1, made.shards().size());
    assertEquals(0, full.broker.messages(made.shard(0)), "its queue is there");
    full.crash();
    assertEquals(Optional.of(made), full.mailbox().directory().find(TopicDirectory.UNSORTED));
  }

  @Test
  void lettersAreKeptAsTheirTopicSaysAndElseAsTheServiceDoes() {
    Duration kept = Duration.ofDays(3);
    retain(new RetentionOverrides(null, null, null, null, kept, null));
    TopicDirectory topics = rig.mailbox().directory();
    assertEquals(kept, topics.letterRetention(ORDERS));
    assertEquals(
        rig.settings.defaults().retention().dlq(),
        topics.letterRetention(TopicDirectory.UNSORTED),
        "of a topic that is not there");
  }
}
