package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.InMemoryBroker.Call;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.test.concurrent.OwnThread;

/** A worker waits for a broker that is silent: its callers are answered, and it loses nothing. */
final class SilentBrokerTest {
  private static final String TOPIC = "orders";
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** Turns of the watch, of 100 ms each. */
  private static final int TWO_SECONDS = 21;

  private final MailboxRig rig =
      new MailboxRig(1, Map.of("mailbox.ready_shards", "1", "mailbox.workers", "1"));

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      rig.mailbox().watch();
    }
  }

  private CompletableFuture<RecvOutcome> recv(Duration wait) {
    return rig.mailbox()
        .recv(
            rig.caller,
            new RecvRequest(new TopicName(TOPIC), LEASE, 10, Long.MAX_VALUE, wait, null))
        .outcome()
        .toCompletableFuture();
  }

  private static void assertAway(CompletionStage<?> answer) {
    assertEquals(
        Refusal.BROKER_AWAY, assertInstanceOf(Refusal.class, MailboxRig.answered(answer)).reason());
  }

  private LeasedMessage leased() {
    return assertInstanceOf(Delivered.class, MailboxRig.answered(leasing())).messages().get(0);
  }

  private CompletableFuture<RecvOutcome> leasing() {
    CompletableFuture<RecvOutcome> call = recv(Duration.ZERO);
    rig.run();
    return call;
  }

  private long depth() {
    ShardId only = rig.mailbox().directory().existing(new TopicName(TOPIC)).shard(0);
    return rig.mailbox().limits().counters(only).depth();
  }

  @Test
  void callersAreAnsweredAfterTwoSecondsAndAtOnceFromThenOn() {
    rig.send(TOPIC, "first", "x");
    LeasedMessage held = leased();
    CompletableFuture<SendOutcome> sent = rig.submit(TOPIC, "second");
    CompletionStage<SettleOutcome> acknowledged =
        rig.mailbox()
            .settle(
                rig.caller,
                new SettleRequest.Ack(held.message().envelope().msgId(), held.receipt()));
    rig.broker.silence(
        Call.COMMIT,
        () -> {
          CompletableFuture<SendOutcome> queued = rig.submit(TOPIC, "third");
          look(TWO_SECONDS - 1);
          assertFalse(sent.isDone());
          assertTrue(rig.mailbox().isHealthy());
          look(1);
          assertAway(sent);
          assertAway(acknowledged);
          assertAway(queued);
          assertAway(rig.submit(TOPIC, "fourth"));
          assertAway(recv(Duration.ZERO));
          assertAway(recv(LEASE));
          assertFalse(rig.mailbox().isHealthy());
        });
    rig.run();
    assertTrue(rig.mailbox().isHealthy());
    // The step's own SEND has happened; the queued ones have not.
    assertEquals(1, depth());
    SendOutcome.Accepted repeated =
        assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "second", "x"));
    assertTrue(repeated.duplicate());
    assertFalse(
        assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "third", "x")).duplicate());
  }

  @Test
  void aLeaseThatTheWatchKeptFromItsClientIsGivenBack() {
    CompletableFuture<RecvOutcome> waiting = recv(LEASE);
    rig.run();
    rig.send(TOPIC, "first", "x");
    assertEquals(
        1, assertInstanceOf(Delivered.class, MailboxRig.answered(waiting)).messages().size());
    rig.send(TOPIC, "second", "x");
    CompletableFuture<RecvOutcome> late = recv(Duration.ZERO);
    rig.broker.silence(
        Call.FETCH,
        () -> {
          look(TWO_SECONDS);
          assertAway(late);
        });
    rig.run();
    assertEquals(1, rig.mailbox().limits().inflight());
    LeasedMessage again = leased();
    assertEquals(1, again.message().envelope().attempt());
  }

  @Test
  void whatNoClientReadIsGivenBackAfterTheSilence() {
    rig.send(TOPIC, "first", "x");
    MailboxService.PendingRecv unread = rig.recv(TOPIC, 1, LEASE, Duration.ZERO);
    rig.broker.silence(
        Call.COMMIT,
        () -> {
          look(TWO_SECONDS);
          unread.abandon();
        });
    CompletableFuture<SendOutcome> sent = rig.submit(TOPIC, "second");
    rig.run();
    assertAway(sent);
    assertEquals(
        2, assertInstanceOf(Delivered.class, MailboxRig.answered(leasing())).messages().size());
  }

  @Test
  void aWaitEndsAtItsDeadlineWhileItsWorkerWaits() {
    CompletableFuture<RecvOutcome> waiting = recv(LEASE);
    rig.run();
    rig.broker.silence(
        Call.COMMIT,
        () -> {
          look(2);
          assertFalse(waiting.isDone());
          rig.time.advance(LEASE);
          look(1);
          assertEquals(Delivered.NONE, MailboxRig.answered(waiting));
        });
    rig.send(TOPIC, "first", "x");
    assertEquals(1, leased().message().envelope().attempt());
  }

  @Test
  void aWorkerThatOpensItsSessionRefusesAtOnce() {
    rig.send(TOPIC, "first", "x");
    rig.broker.goDown();
    CompletableFuture<SendOutcome> first = rig.submit(TOPIC, "second");
    rig.run();
    rig.broker.comeBack();
    rig.broker.silence(
        Call.OPEN,
        () -> {
          CompletableFuture<SendOutcome> queued = rig.submit(TOPIC, "third");
          look(3);
          assertAway(queued);
          assertAway(rig.submit(TOPIC, "fourth"));
          assertFalse(rig.mailbox().isHealthy());
        });
    rig.pass(Duration.ofSeconds(1));
    assertAway(first);
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "fifth", "x"));
    assertTrue(rig.mailbox().isHealthy());
  }

  /** Each call is slow, and the step with its two calls is longer than a silence. */
  @Test
  void aStepWithMuchToDoIsNoSilence() {
    rig.send(TOPIC, "first", "x");
    CompletableFuture<RecvOutcome> received = recv(Duration.ZERO);
    CompletableFuture<SendOutcome> sent = rig.submit(TOPIC, "second");
    rig.broker.silence(
        Call.FETCH,
        () -> {
          look(TWO_SECONDS - 1);
          rig.broker.silence(Call.COMMIT, () -> look(TWO_SECONDS - 1));
        });
    rig.run();
    assertEquals(
        1, assertInstanceOf(Delivered.class, MailboxRig.answered(received)).messages().size());
    assertInstanceOf(SendOutcome.Accepted.class, MailboxRig.answered(sent));
  }

  /** The process was suspended: one look, however late, does not tell a silent broker. */
  @Test
  void aPauseOfTheProcessIsNoSilence() {
    CompletableFuture<SendOutcome> sent = rig.submit(TOPIC, "first");
    rig.broker.silence(
        Call.COMMIT,
        () -> {
          look(1);
          rig.time.advance(Duration.ofMinutes(1));
          look(1);
          assertFalse(sent.isDone());
        });
    rig.run();
    assertInstanceOf(SendOutcome.Accepted.class, MailboxRig.answered(sent));
  }

  /** The worker still has the topic's queues, and would lose its session with them. */
  @Test
  void aTopicIsNotDeletedUnderAWorkerThatWaits() {
    rig.send(TOPIC, "first", "x");
    TopicName topic = new TopicName(TOPIC);
    rig.broker.silence(
        Call.COMMIT,
        () -> {
          CompletableFuture<Void> deleting =
              CompletableFuture.runAsync(
                  () -> rig.mailbox().topicAdmin().delete(rig.caller, topic), OwnThread.EXECUTOR);
          while (!deleting.isDone()) {
            look(1);
          }
          assertThrows(CompletionException.class, deleting::join);
        });
    CompletableFuture<SendOutcome> sent = rig.submit(TOPIC, "second");
    rig.run();
    assertAway(sent);
    assertTrue(rig.mailbox().isHealthy());
    assertEquals(0, rig.broker.failedSessions());
  }

  @Test
  void anOperatorsCommandIsRefused() {
    rig.send(TOPIC, "first", "x");
    rig.broker.silence(
        Call.COMMIT,
        () -> {
          CompletableFuture<?> asked =
              CompletableFuture.supplyAsync(
                  () ->
                      rig.mailbox()
                          .topicContents()
                          .peek(rig.caller, new TopicName(TOPIC), null, 10),
                  OwnThread.EXECUTOR);
          while (!asked.isDone()) {
            look(1);
          }
          assertThrows(CompletionException.class, asked::join);
        });
    CompletableFuture<SendOutcome> sent = rig.submit(TOPIC, "second");
    rig.run();
    assertAway(sent);
    assertEquals(2, depth());
  }
}
