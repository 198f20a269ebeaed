package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.DrainRate;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.Problem;

/** Every limit refuses exactly at its edge, and says when to retry. */
class SaturationTest {
  private static final String TOPIC = Edge.TOPIC;
  private static final Duration TICK = Duration.ofMillis(300);

  private static List<Long> counts(Edge edge) {
    return edge.rig.mailbox().limits().shared().stream().map(CapacityLimit::count).toList();
  }

  private static Refusal refusal(CompletionStage<?> reply) {
    return assertInstanceOf(Refusal.class, MailboxRig.answered(reply));
  }

  @ParameterizedTest
  @EnumSource
  void whoComesAfterTheLastPlaceIsRefusedWithTheReasonAndTakesNoPlace(Edge.Which which) {
    Edge edge = which.edge();
    edge.fill();
    List<Long> before = counts(edge);
    for (int i = 0; i < 3; i++) {
      Refusal refusal = refusal(edge.over());
      assertEquals(Problem.E_SATURATED, refusal.problem());
      assertEquals(which.reason(), refusal.reason());
      assertEquals(Duration.ofSeconds(1), refusal.retryAfter());
    }
    assertEquals(before, counts(edge));
    edge.drain();
    edge.fill();
  }

  @ParameterizedTest
  @EnumSource
  void theFasterItDrainsTheSoonerOneMayComeBack(Edge.Which which) {
    Duration slow = retryAfter(which.edge(), 1);
    Duration fast = retryAfter(which.edge(), 2);
    assertTrue(fast.compareTo(slow) < 0, fast + " is not sooner than " + slow);
    assertEquals(DrainRate.LONGEST, retryAfter(which.edge(), 0));
  }

  private static Duration retryAfter(Edge edge, int drained) {
    edge.fill();
    refusal(edge.over());
    for (int i = 0; i < drained; i++) {
      edge.drain();
      edge.fill();
    }
    edge.rig.time.advance(TICK);
    return requireNonNull(refusal(edge.over()).retryAfter());
  }

  @Test
  void aFullInboxRefusesWhateverComes() {
    Edge edge = Edge.Which.WORKER_INBOX.edge();
    edge.fill();
    List<Long> before = counts(edge);
    assertEquals("worker_inbox", refusal(edge.rig.submit(TOPIC, "k")).reason());
    for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(30))) {
      RecvRequest request = new RecvRequest(new TopicName(TOPIC), null, 1, 1, wait, null);
      MailboxService.PendingRecv call = edge.rig.mailbox().recv(edge.rig.caller, request);
      assertEquals("worker_inbox", refusal(call.outcome()).reason());
    }
    assertEquals(before, counts(edge));
    edge.drain();
    assertInstanceOf(SendOutcome.Accepted.class, edge.rig.send(TOPIC, "k", "x"));
  }

  @Test
  void callsOnATopicAreCountedWhateverTheyAreAndWhoeverCalls() {
    MailboxRig rig = new MailboxRig(1, Map.of("mailbox.rate.topic", "2"));
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "a", "x"));
    assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 1));
    Refusal refusal = assertInstanceOf(Refusal.class, rig.send(TOPIC, "b", "x"));
    assertEquals("rate_topic", refusal.reason());
    assertEquals(Duration.ofMillis(500), refusal.retryAfter());
    assertInstanceOf(SendOutcome.Accepted.class, rig.send("another", "b", "x"));
    rig.pass(Duration.ofMillis(499));
    refusal = assertInstanceOf(Refusal.class, rig.recvNow(TOPIC, 1));
    assertEquals(Duration.ofMillis(1), refusal.retryAfter());
    rig.pass(Duration.ofMillis(1));
    assertInstanceOf(SendOutcome.Accepted.class, rig.send(TOPIC, "b", "x"));
  }
}
