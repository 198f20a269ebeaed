package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.InMemoryBroker.Call;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/**
 * A process that is stopped with messages in its memory, and goes on when another process has them.
 * Nothing tells it that the broker has ended its session.
 */
class StoppedOwnerTest {
  private static final String TOPIC = "orders";
  private static final Duration LONG = Duration.ofMinutes(10);

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1"));
  private LeasedMessage held;

  @BeforeEach
  void begin() {
    for (String key : List.of("one", "two", "three")) {
      assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x"));
    }
    held = leased(recv(1)).get(0);
  }

  private RecvOutcome recv(int most) {
    return MailboxRig.answered(rig.recv(TOPIC, most, LONG, Duration.ZERO).outcome());
  }

  private static List<LeasedMessage> leased(RecvOutcome outcome) {
    return outcome instanceof Delivered delivered ? delivered.messages() : List.of();
  }

  private SettleOutcome extend(LeasedMessage message) {
    MsgId id = message.message().envelope().msgId();
    return rig.settle(new SettleRequest.Extend(id, message.receipt(), LONG));
  }

  private double questions() {
    return rig.mailbox().limits().metrics().stream()
        .filter(metric -> metric.family() == Family.SESSION_QUESTIONS_TOTAL)
        .mapToDouble(Metric::now)
        .sum();
  }

  /** The process sleeps, and another one has its messages. */
  private Set<MsgId> stopFor(Duration time) {
    Mailbox stopped = rig.mailbox();
    rig.broker.endQuietly();
    rig.time.advance(time);
    rig.startAgain();
    Set<MsgId> others = new HashSet<>();
    leased(recv(10)).forEach(one -> others.add(one.message().envelope().msgId()));
    assertEquals(3, others.size());
    rig.goOnWith(stopped);
    return others;
  }

  @Test
  void itHandsOutNoMessageThatAnotherProcessHas() {
    Set<MsgId> others = stopFor(Duration.ofSeconds(2));
    RecvOutcome outcome = recv(10);
    leased(outcome).forEach(one -> assertTrue(others.isEmpty(), "leased twice: " + one));
    assertInstanceOf(Refusal.class, outcome);
  }

  @Test
  void aCallThatWaitsGetsNoneEither() {
    CompletableFuture<RecvOutcome> waiting =
        rig.recv("empty", 1, LONG, Duration.ofSeconds(30)).outcome().toCompletableFuture();
    Set<MsgId> others = stopFor(Duration.ofSeconds(2));
    assertEquals(List.of(), leased(recv(1)), "leased twice: " + others);
    assertTrue(!waiting.isDone() || leased(waiting.join()).isEmpty());
  }

  @Test
  void itExtendsNoLeaseOfAMessageThatAnotherProcessHas() {
    stopFor(Duration.ofSeconds(2));
    assertInstanceOf(Refusal.class, extend(held));
  }

  @Test
  void itAnswersNoRepeatedSendFromMemory() {
    stopFor(Duration.ofSeconds(2));
    assertInstanceOf(Refusal.class, rig.send(TOPIC, "one", "x"));
  }

  /** It may be stopped just as well while it waits for the answer. */
  @Test
  void anAnswerThatItReadsTooLateTellsItNothing() {
    rig.time.advance(Duration.ofSeconds(2));
    rig.broker.silence(
        Call.ASK,
        () -> {
          rig.time.advance(Duration.ofSeconds(2));
          rig.broker.silence(Call.ASK, rig.broker::endQuietly);
        });
    assertInstanceOf(Refusal.class, extend(held));
  }

  @Test
  void aProcessWithWorkAsksNothingBesidesItsCommits() {
    for (int i = 0; i < 20; i++) {
      rig.time.advance(Duration.ofMillis(900));
      assertInstanceOf(Accepted.class, rig.send(TOPIC, "more" + i, "x"));
      assertEquals(1, leased(recv(1)).size());
      assertInstanceOf(Done.class, extend(held));
      assertInstanceOf(Accepted.class, rig.send(TOPIC, "one", "x"));
    }
    assertEquals(0, questions());
  }

  @Test
  void anIdleOneAsksOnceASecondAtMost() {
    rig.time.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      rig.time.advance(Duration.ofMillis(100));
      assertInstanceOf(Done.class, extend(held));
      SendOutcome repeated = rig.send(TOPIC, "one", "x");
      assertTrue(assertInstanceOf(Accepted.class, repeated).duplicate());
    }
    assertEquals(1, questions());
  }

  /** The question must not commit the ACK before its step does. */
  @Test
  void aStepThatEndsALeaseAndHandsOutAnotherCommitsOnce() {
    rig.time.advance(Duration.ofSeconds(2));
    int commits = rig.broker.commits();
    CompletableFuture<SettleOutcome> acked =
        rig.mailbox()
            .settle(
                rig.caller,
                new SettleRequest.Ack(held.message().envelope().msgId(), held.receipt()))
            .toCompletableFuture();
    assertEquals(1, leased(recv(1)).size());
    assertInstanceOf(Done.class, acked.join());
    assertEquals(1, rig.broker.commits() - commits);
    assertEquals(0, questions());
  }
}
