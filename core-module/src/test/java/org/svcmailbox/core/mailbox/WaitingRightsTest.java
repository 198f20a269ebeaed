package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.problem.Problem;

/** A waiting RECV needs its right when a message comes. */
class WaitingRightsTest {
  private static final String TOPIC = "orders";
  private static final Duration LONG = Duration.ofSeconds(30);

  private final SampleCallers people = new SampleCallers();
  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.workers", "2"));

  private CompletableFuture<RecvOutcome> waiting(Caller caller) {
    rig.caller = caller;
    return rig.recv(TOPIC, 1, LONG, LONG).outcome().toCompletableFuture();
  }

  private void send() {
    rig.caller = SampleCallers.OPERATOR;
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "k", "x"));
  }

  private static void denied(String reason, CompletableFuture<RecvOutcome> call) {
    Refusal refusal = assertInstanceOf(Refusal.class, MailboxRig.answered(call));
    assertEquals(Problem.E_CAP_AUTH, refusal.problem());
    assertEquals(reason, refusal.reason());
  }

  private static void got(CompletableFuture<RecvOutcome> call) {
    assertEquals(1, assertInstanceOf(Delivered.class, MailboxRig.answered(call)).messages().size());
  }

  @Test
  void revokedMeanwhileItGetsNothingAndTheNextGetsTheMessage() {
    Caller revoked = people.caller(1);
    CompletableFuture<RecvOutcome> first = waiting(revoked);
    CompletableFuture<RecvOutcome> second = waiting(people.caller(2));
    people.revoke(revoked);
    send();
    denied("revoked", first);
    got(second);
  }

  @Test
  void expiredMeanwhileItGetsNothingAndTheNextGetsTheMessage() {
    CompletableFuture<RecvOutcome> first =
        waiting(people.caller(1, "expires < 2026-11-20T12:00:10Z"));
    CompletableFuture<RecvOutcome> second =
        waiting(people.caller(2, "expires < 2026-11-20T12:00:11Z"));
    people.now(Instant.parse("2026-11-20T12:00:10Z"));
    send();
    denied("expired", first);
    got(second);
  }

  @Test
  void whenNobodyWhoWaitsMayHaveItTheMessageIsThereForWhoeverComes() {
    Caller revoked = people.caller(1);
    CompletableFuture<RecvOutcome> first = waiting(revoked);
    CompletableFuture<RecvOutcome> second = waiting(revoked);
    people.revoke(revoked);
    send();
    denied("revoked", first);
    denied("revoked", second);
    assertEquals(0, rig.mailbox().limits().inflight());
    assertEquals(0, rig.mailbox().limits().waiting().total().count());
    got(waiting(people.caller(2)));
  }

  @Test
  void theRightIsAskedForWhenTheMessageComesAndNotBefore() {
    CompletableFuture<RecvOutcome> call =
        waiting(people.caller(1, "expires < 2026-11-20T12:00:10Z"));
    people.now(Instant.parse("2026-11-20T12:00:09.999Z"));
    rig.pass(Duration.ofSeconds(10));
    assertFalse(call.isDone());
    send();
    got(call);
  }
}
