package org.svcmailbox.core.worker.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.StoredKeys;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.Topic;

class SendPlanTest {
  /** The replay window of the sample topic is ten minutes. */
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final Instant NOW = SampleSends.NOW;
  private static final Topic TOPIC = SampleShard.topic(1, "orders");
  private static final MsgId LETTER = MsgId.create(1, NOW.minusSeconds(60));
  private static final MsgId STRANGER = MsgId.create(2, NOW.minusSeconds(60));

  private static final CapabilityId CLIENT = SampleMessages.HOLDER;

  private final TestDisk disk = new TestDisk();
  private final Limits limits =
      new Limits(SettingsLoader.load(key -> Optional.empty(), Set.of(), 2), disk, () -> 0L);

  private static Send send(String key, String payload, @Nullable MsgId letter) {
    return SampleSends.send(TOPIC, key, payload, letter, null);
  }

  private static Map<IdempotencyKey, Taken> held(Send send, MsgId by, Instant until) {
    return Map.of(
        send.key(), new Taken.Confirmed(new Reservation(by, send.envelope().payloadHash(), until)));
  }

  private SendPlan plan(List<Send> sends, Map<IdempotencyKey, Taken> taken) {
    return SendPlan.of(sends, NOW, taken, limits, ledger -> LedgerHead.EMPTY);
  }

  private static SendOutcome accepted(Send send, boolean duplicate) {
    return new SendOutcome.Accepted(send.envelope().msgId(), duplicate);
  }

  /** Milliseconds that the letter's window runs on, and how much later the new one ends. */
  @ParameterizedTest
  @CsvSource({"1, 599999", "300000, 300000", "599999, 1", "600000, 1", "604800000, 1"})
  void theWindowOfALettersMessageEndsAfterTheLetters(long runsOn, long later) {
    Send send = send("k", "p", LETTER);
    // Stored windows end at whole milliseconds, rounded up.
    Instant end = Instant.ofEpochMilli(NOW.plusNanos(999_999).toEpochMilli() + runsOn);
    SendPlan plan = plan(List.of(send), held(send, LETTER, end));
    assertEquals(List.of(accepted(send, false)), plan.outcomes());
    StoredKeys stored = plan.pages().keys().get(0);
    assertEquals(later, stored.expiresAt() - end.toEpochMilli());
    assertTrue(stored.expiresAt() >= NOW.plus(WINDOW).toEpochMilli());
    assertEquals(
        List.of(LETTER), plan.released().values().stream().map(Reservation::msgId).toList());
    assertEquals(0, plan.newKeys(), "the table has the key already");
  }

  @Test
  void anotherHolderKeepsItsKey() {
    Send same = send("k", "p", LETTER);
    SendPlan plan = plan(List.of(same), held(same, STRANGER, NOW.plusSeconds(5)));
    assertEquals(List.of(new SendOutcome.Accepted(STRANGER, true)), plan.outcomes());
    assertEquals(Map.of(), plan.released());
    Send client = send("k", "p", null);
    plan = plan(List.of(client), held(client, LETTER, NOW.plusSeconds(5)));
    assertEquals(List.of(new SendOutcome.Accepted(LETTER, true)), plan.outcomes());
    Send edited = send("k", "q", null);
    plan = plan(List.of(edited), held(client, LETTER, NOW.plusSeconds(5)));
    assertEquals(List.of(new SendOutcome.KeyConflict(LETTER)), plan.outcomes());
    assertEquals(List.of(), plan.accepted());
  }

  @Test
  void anEditedLetterTakesItsKeyOver() {
    Send edited = send("k", "q", LETTER);
    SendPlan plan = plan(List.of(edited), held(send("k", "p", null), LETTER, NOW.plusSeconds(5)));
    assertEquals(List.of(accepted(edited, false)), plan.outcomes());
  }

  @Test
  void ofALetterAndASenderInOneBatchBothHaveTheSameMessage() {
    Send redriven = send("k", "p", LETTER);
    Send repeated = send("k", "p", null);
    Map<IdempotencyKey, Taken> taken = held(redriven, LETTER, NOW.plusSeconds(5));
    assertEquals(
        List.of(accepted(redriven, false), accepted(redriven, true)),
        plan(List.of(redriven, repeated), taken).outcomes());
    List<SendOutcome> outcomes = plan(List.of(repeated, redriven), taken).outcomes();
    assertEquals(
        List.of(new SendOutcome.Accepted(LETTER, true), accepted(redriven, false)), outcomes);
  }

  @Test
  void aLetterWaitsWhileItIsNotKnownWhoseItsKeyIs() {
    for (Taken state : List.of(new Taken.Unconfirmed(), new Taken.Unreadable())) {
      Send send = send("k", "p", LETTER);
      SendPlan plan = plan(List.of(send), Map.of(send.key(), state));
      assertInstanceOf(Refusal.class, plan.outcomes().get(0));
      assertEquals(List.of(), plan.accepted());
    }
  }

  @Test
  void aLetterWhoseWindowIsOverIsANewSend() {
    Send send = send("k", "p", LETTER);
    for (Map<IdempotencyKey, Taken> taken :
        List.<Map<IdempotencyKey, Taken>>of(Map.of(), Map.of(send.key(), new Taken.Expired()))) {
      SendPlan plan = plan(List.of(send), taken);
      assertEquals(List.of(accepted(send, false)), plan.outcomes());
      assertEquals(Map.of(), plan.released());
      assertEquals(taken.isEmpty() ? 1 : 0, plan.newKeys());
    }
  }

  private static Send fromClient(String key) {
    return SampleSends.send(TOPIC, key, "p", null, CLIENT);
  }

  private static List<Send> fromClient(int count) {
    return IntStream.range(0, count).mapToObj(i -> fromClient("k" + i)).toList();
  }

  /** The reason of each refusal, and "ok" for each SEND that is accepted. */
  private static List<String> verdicts(SendPlan plan) {
    return plan.outcomes().stream()
        .map(outcome -> outcome instanceof Refusal refusal ? refusal.reason() : "ok")
        .toList();
  }

  /** Messages that the topic has of the 1,000 that it may have, and how many of three fit. */
  @ParameterizedTest
  @CsvSource({"997, 3", "998, 2", "999, 1", "1000, 0", "1001, 0"})
  void aTopicTakesMessagesUpToItsMost(long has, int fit) {
    limits.counters(TOPIC.shard(0)).change(has, 0);
    SendPlan plan = plan(fromClient(3), Map.of());
    List<String> expected =
        IntStream.range(0, 3).mapToObj(i -> i < fit ? "ok" : "retention_ready_count").toList();
    assertEquals(expected, verdicts(plan));
    assertEquals(fit, plan.accepted().size());
    assertEquals(fit, plan.newKeys());
  }

  /** Each message counts as 1,025 bytes; the last that fits may exceed the most. */
  @ParameterizedTest
  @CsvSource({"0, 3", "1024, 3", "1025, 2", "2049, 2", "2050, 1", "3074, 1", "3075, 0"})
  void aTopicTakesBytesUpToItsMost(long has, int fit) {
    Topic small = sized(3_075);
    limits.counters(small.shard(0)).change(1, has);
    List<Send> sends =
        IntStream.range(0, 3)
            .mapToObj(i -> SampleSends.send(small, "k" + i, "p", null, CLIENT))
            .toList();
    List<String> expected =
        IntStream.range(0, 3).mapToObj(i -> i < fit ? "ok" : "retention_ready_bytes").toList();
    assertEquals(expected, verdicts(plan(sends, Map.of())));
  }

  private static Topic sized(long readyBytes) {
    TopicSettings of = TOPIC.settings();
    TopicRetention kept = of.retention();
    TopicSettings settings =
        new TopicSettings(
            of.readyShards(),
            of.shardCapacity(),
            of.tReplay(),
            of.maxAttempts(),
            of.defaultVisibility(),
            of.backoffBase(),
            of.backoffMax(),
            new TopicRetention(
                kept.ready(),
                kept.readyCount(),
                readyBytes,
                kept.inflight(),
                kept.inflightCount(),
                kept.dlq(),
                kept.dlqCount()),
            of.alertReadyAge());
    return new Topic(3, new TopicName("small"), TOPIC.state(), settings);
  }

  @Test
  void aFullTableOfKeysTakesNoNewOneAndReplacesExpiredOnes() {
    limits.keys().total().add(limits.keys().total().capacity());
    Send fresh = fromClient("new");
    Send again = fromClient("old");
    SendPlan plan = plan(List.of(fresh, again), Map.of(again.key(), new Taken.Expired()));
    assertEquals(List.of("dedup_capacity", "ok"), verdicts(plan));
    assertEquals(0, plan.newKeys());
  }

  @Test
  void keysOfABatchCountForItsLaterSends() {
    limits.keys().total().add(limits.keys().total().capacity() - 2);
    assertEquals(
        List.of("ok", "dedup_capacity"), verdicts(plan(fromClient(2), Map.of())), "half is left");
  }

  /** Room is left for five more keys, and a sender may have three times what it leaves. */
  @ParameterizedTest
  @CsvSource({"true, dedup_capacity", "false, ok"})
  void keysOfABatchCountForTheirSenderInAllItsTopics(boolean isOneSender, String last) {
    limits.keys().total().add(limits.keys().total().capacity() - 5);
    List<Send> sends =
        IntStream.rangeClosed(1, 4)
            .mapToObj(
                i ->
                    SampleSends.send(
                        SampleShard.topic(i, "topic-" + i),
                        "k" + i,
                        "p",
                        null,
                        isOneSender ? CLIENT : SampleCallers.capability(i).id()))
            .toList();
    assertEquals(List.of("ok", "ok", "ok", last), verdicts(plan(sends, Map.of())));
  }

  /**
   * Bytes beyond the reserve, of 1,025 for each message. A topic may have three times what it
   * leaves, and one message anyhow.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "683, 1", "684, 2", "1024, 2", "1025, 3"})
  void messagesOfABatchCountForTheirTopicsShareOfTheDisk(long room, int fit) {
    disk.room((32L << 20) + room, 1L << 29);
    limits.refreshDisk();
    List<String> expected =
        IntStream.range(0, 3).mapToObj(i -> i < fit ? "ok" : "disk_share").toList();
    assertEquals(expected, verdicts(plan(fromClient(3), Map.of())));
  }

  @Test
  void aClientsMessageNeedsRoomOnTheDiskAndALetterDoesNot() {
    disk.room(1_000, 10_000);
    limits.refreshDisk();
    Send client = fromClient("client");
    Send letter = send("letter", "p", LETTER);
    limits.counters(TOPIC.shard(0)).change(1, 1L << 30);
    assertEquals(List.of("disk_share", "ok"), verdicts(plan(List.of(client, letter), Map.of())));
  }

  @Test
  void aPlanCountsNothingHoweverOftenItIsMade() {
    limits.counters(TOPIC.shard(0)).change(999, 0);
    limits.keys().total().add(limits.keys().total().capacity() - 1);
    List<Send> sends = fromClient(3);
    List<SendOutcome> first = plan(sends, Map.of()).outcomes();
    assertEquals(first, plan(sends, Map.of()).outcomes());
    assertInstanceOf(Refusal.class, first.get(2));
    TopicCounters topic = limits.topics().of(TOPIC.name());
    assertEquals(0, topic.messages().refused());
    assertEquals(0, limits.keys().total().refused());
    assertEquals(0, topic.messages().capacity(), "a plan sets no bound");
    assertEquals(999, topic.messages().count());
    assertEquals(limits.keys().total().capacity() - 1, limits.keys().total().count());
  }

  @Test
  void acceptedMessagesContinueTheLedgerInTheirOrder() {
    SendPlan plan = plan(fromClient(3), Map.of());
    assertEquals(
        List.of(1L, 2L, 3L), plan.accepted().stream().map(one -> one.row().entry().seq()).toList());
  }
}
