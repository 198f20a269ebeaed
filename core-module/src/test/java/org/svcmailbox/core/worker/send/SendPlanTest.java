package org.svcmailbox.core.worker.send;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.core.sendlog.StoredKeys;
import org.svcmailbox.core.sendlog.Taken;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/** Whose key it is when dead letters are among the SENDs of a batch. */
class SendPlanTest {
  /** The replay window of the sample topic is ten minutes. */
  private static final Duration WINDOW = Duration.ofMinutes(10);

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00.123456Z");
  private static final Topic TOPIC = SampleShard.topic(1, "orders");
  private static final ShardId SHARD = TOPIC.shard(0);
  private static final MsgId LETTER = MsgId.create(1, NOW.minusSeconds(60));
  private static final MsgId STRANGER = MsgId.create(2, NOW.minusSeconds(60));
  private static final CapacityLimit PENDING = new CapacityLimit("pending", "full", 10, () -> 0L);

  private final Limits limits =
      new Limits(
          SettingsLoader.load(key -> Optional.empty(), Set.of(), 2), new TestDisk(), () -> 0L);

  private static Send send(String key, String payload, @Nullable MsgId letter) {
    IdemKey idemKey = new IdemKey(key);
    Payload bytes = Payload.owning(payload.getBytes(UTF_8));
    SendRequest request =
        new SendRequest(
            TOPIC.name(), bytes, idemKey, Attributes.NONE, null, null, Duration.ZERO, null);
    Envelope envelope =
        new Envelope(
            MsgId.create(SHARD.slot(), NOW),
            TOPIC.name(),
            NOW,
            idemKey,
            bytes.hash(),
            Attributes.NONE,
            new CorrId("c"),
            0,
            0,
            1,
            HashChain.of(TOPIC.name(), NOW, idemKey, bytes.hash(), Attributes.NONE),
            null);
    SourceLetter origin =
        letter == null
            ? null
            : new SourceLetter(new LetterAddress(TOPIC.name(), 0, 1), letter, MessageHistory.NONE);
    return new Send(
        TOPIC, SHARD, envelope, request, null, origin, PENDING, new CompletableFuture<>());
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
}
