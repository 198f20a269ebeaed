package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;

/** Waits for messages while the broker is away. */
class WaitWithoutBrokerTest {
  private static final String TOPIC = "orders";
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration MILLI = Duration.ofMillis(1);

  private static MailboxRig rig(int workers) {
    return new MailboxRig(
        1, Map.of("mailbox.ready_shards", "4", "mailbox.workers", String.valueOf(workers)));
  }

  private static CompletableFuture<RecvOutcome> waiting(MailboxRig rig, Duration wait) {
    return rig.recv(TOPIC, 1, WAIT, wait).outcome().toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aWaitEndsAtItsDeadline(int workers) {
    MailboxRig rig = rig(workers);
    CompletableFuture<RecvOutcome> call = waiting(rig, WAIT);
    rig.broker.goDown();
    rig.pass(WAIT.minus(MILLI));
    assertFalse(call.isDone());
    rig.pass(MILLI);
    assertEquals(Delivered.NONE, MailboxRig.answered(call));
    assertEquals(0, rig.mailbox().limits().waiting().total().count());
  }

  @Test
  void aWaitEndsAtItsDeadlineHoweverOftenTheSessionFailsToOpen() {
    MailboxRig rig = rig(2);
    CompletableFuture<RecvOutcome> early = waiting(rig, WAIT);
    CompletableFuture<RecvOutcome> later = waiting(rig, WAIT.multipliedBy(20));
    rig.broker.goDown();
    for (int second = 0; second < 19; second++) {
      rig.pass(WAIT);
      assertEquals(Delivered.NONE, MailboxRig.answered(early));
      assertFalse(later.isDone(), "after " + second + " s");
    }
    rig.pass(WAIT);
    assertEquals(Delivered.NONE, MailboxRig.answered(later));
  }

  @Test
  void aWaitOutlastsAnOutageThatIsShorter() {
    MailboxRig rig = rig(2);
    rig.send(TOPIC, "first", "x");
    rig.recvNow(TOPIC, 1);
    CompletableFuture<RecvOutcome> call = waiting(rig, WAIT.multipliedBy(10));
    rig.broker.goDown();
    rig.pass(WAIT);
    rig.broker.comeBack();
    rig.pass(WAIT);
    assertEquals(1, assertInstanceOf(Delivered.class, MailboxRig.answered(call)).messages().size());
  }

  @Test
  void aCallThatComesWithoutASessionIsRefusedAtOnce() {
    MailboxRig rig = rig(2);
    rig.send(TOPIC, "k", "x");
    rig.broker.goDown();
    rig.pass(MILLI);
    Refusal refusal = assertInstanceOf(Refusal.class, MailboxRig.answered(waiting(rig, WAIT)));
    assertEquals(Refusal.BROKER_AWAY, refusal.reason());
  }

  @Test
  void aWaitEndsWithItsWorkerOrAtItsDeadline() {
    MailboxRig rig = rig(1);
    CompletableFuture<RecvOutcome> call = waiting(rig, WAIT);
    rig.broker.dieAtNextCommit(CommitFault.BEFORE);
    CompletableFuture<?> sent = rig.submit(TOPIC, "k");
    rig.broker.goDown();
    rig.pass(WAIT);
    MailboxRig.answered(call);
    MailboxRig.answered(sent);
  }
}
