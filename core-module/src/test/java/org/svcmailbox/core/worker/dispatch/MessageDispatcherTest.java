package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.ShardState;

class MessageDispatcherTest {
  private static final long IDLE = Duration.ofSeconds(30).toNanos();
  private static final Refusal AWAY = Refusals.brokerAway();

  private final DispatchScene scene = new DispatchScene();
  private final MessageDispatcher dispatcher = scene.dispatcher;
  private final SampleCallers callers = new SampleCallers();

  private RecvCall recv(RecvCall call) {
    dispatcher.recv(call);
    return call;
  }

  private RecvCall waitingCall() {
    return recv(scene.call(DispatchScene.WAIT));
  }

  private String refusalOf(RecvCall call) {
    return assertInstanceOf(Refusal.class, scene.answer(call)).reason();
  }

  @Test
  void aCallGetsAReadyMessageAtOnce() {
    scene.put(2, 1);
    RecvCall call = waitingCall();
    assertEquals(List.of(1L), scene.got(call));
    assertTrue(scene.leases().get(0).isHeld());
    assertEquals(0, dispatcher.serve(), "it does not wait");
  }

  @Test
  void aCallThatDoesNotWaitHearsThatThereIsNothing() {
    assertEquals(Delivered.NONE, scene.answer(recv(scene.call(DispatchScene.NO_WAIT))));
  }

  @Test
  void aCallWhoseClientHungUpGetsNothing() {
    scene.put(1, 1);
    RecvCall call = scene.call(DispatchScene.WAIT);
    call.abandon();
    dispatcher.recv(call);
    assertEquals(0, scene.inflight());
  }

  @Test
  void waitingCallsAreServedInOrderAsMessagesArrive() {
    RecvCall first = waitingCall();
    RecvCall second = waitingCall();
    assertTrue(scene.shard.isWatching());
    assertEquals(0, dispatcher.serve());
    scene.put(1, 1);
    assertEquals(1, dispatcher.serve());
    assertEquals(List.of(1L), scene.got(first));
    assertNull(scene.answer(second));
    assertTrue(scene.shard.isWatching(), "for the second");
    scene.put(1, 1);
    assertEquals(1, dispatcher.serve());
    assertEquals(List.of(2L), scene.got(second));
    assertFalse(scene.shard.isWatching(), "nobody waits");
  }

  @Test
  void aCallForAnotherShardIsPassedOver() {
    RecvCall other =
        recv(scene.call(SampleCallers.OPERATOR, DispatchScene.WAIT, 1, 1, /* ofShard= */ 1));
    RecvCall any = waitingCall();
    scene.put(1, 1);
    assertEquals(1, dispatcher.serve());
    assertNull(scene.answer(other));
    assertEquals(List.of(1L), scene.got(any));
  }

  @Test
  void aRevokedCapabilityLosesItsPlaceInTheQueue() {
    Caller revoked = callers.caller(1);
    RecvCall denied = recv(scene.call(revoked, DispatchScene.WAIT));
    RecvCall next = waitingCall();
    callers.revoke(revoked);
    scene.put(1, 1);
    assertEquals(1, dispatcher.serve(), "a refusal is no delivery");
    assertInstanceOf(Refusal.class, scene.answer(denied));
    assertEquals(List.of(1L), scene.got(next));
  }

  @Test
  void aCallAboveItsCapabilitysCeilingIsRefused() {
    scene.put(2, 1);
    Caller one = callers.caller(1, "max_inflight = 1");
    assertEquals(List.of(1L), scene.got(recv(scene.call(one, DispatchScene.WAIT))));
    assertEquals("max_inflight", refusalOf(recv(scene.call(one, DispatchScene.NO_WAIT))));
    RecvCall waits = recv(scene.call(one, DispatchScene.WAIT));
    assertNull(scene.answer(waits));
    dispatcher.refresh(scene.worker.topic.name());
    assertEquals(0, dispatcher.serve());
    assertEquals("max_inflight", refusalOf(waits));
  }

  @Test
  void aPausedTopicDeliversAfterItsPause() {
    scene.put(1, 1);
    scene.worker.context.ports().topics().pause(scene.worker.topic.name(), true);
    RecvCall call = waitingCall();
    assertNull(scene.answer(call));
    assertFalse(scene.shard.isWatching());
    scene.worker.context.ports().topics().pause(scene.worker.topic.name(), false);
    dispatcher.refresh(scene.worker.topic.name());
    assertEquals(1, dispatcher.serve());
    assertEquals(List.of(1L), scene.got(call));
  }

  @Test
  void theWorkerSleepsUntilTheFirstWaitEnds() {
    assertEquals(IDLE, dispatcher.untilFirst(scene.worker.time.nanos(), IDLE));
    RecvCall call = waitingCall();
    long now = scene.worker.time.nanos();
    assertEquals(DispatchScene.WAIT.toNanos(), dispatcher.untilFirst(now, IDLE));
    assertEquals(0, scene.waiting.endDue(call.deadline() - 1));
    assertNull(scene.answer(call));
    assertEquals(1, scene.waiting.endDue(call.deadline()));
    assertEquals(Delivered.NONE, scene.answer(call));
  }

  @Test
  void aWaitThatWasServedDoesNotEndAgain() {
    RecvCall call = waitingCall();
    scene.put(1, 1);
    assertEquals(1, dispatcher.serve());
    assertEquals(0, scene.waiting.endDue(call.deadline()));
    assertEquals(List.of(1L), scene.got(call));
  }

  @Test
  void aNewSessionLooksForMessagesAgain() {
    RecvCall call = waitingCall();
    scene.worker.context.shards().forEach(ShardState::broken);
    scene.worker.open();
    scene.ready.takeReports();
    scene.ready.clear();
    scene.put(1, 1);
    assertEquals(0, dispatcher.serve(), "the broker knows no watch");
    dispatcher.opened();
    assertEquals(1, dispatcher.serve());
    assertEquals(List.of(1L), scene.got(call));
  }

  @Test
  void waitsEndWithTheirTopic() {
    RecvCall call = waitingCall();
    scene.waiting.drop(scene.worker.topic.name());
    assertEquals(Delivered.NONE, scene.answer(call));
    assertNull(scene.waiting.known(scene.worker.topic.name()));
    scene.waiting.drop(scene.worker.topic.name());
  }

  @Test
  void waitsOfATopicThatIsGoneEndWithTheNextSession() {
    RecvCall call = waitingCall();
    scene.worker.context.ports().topics().delete(scene.worker.topic.name(), topic -> {});
    dispatcher.opened();
    assertEquals(Delivered.NONE, scene.answer(call));
    assertNull(scene.waiting.known(scene.worker.topic.name()));
  }

  @Test
  void aDrainRefusesTheCallsThatAreOpen() {
    RecvCall open = waitingCall();
    RecvCall answered = waitingCall();
    assertTrue(answered.claim());
    assertEquals(1, scene.waiting.dismiss(AWAY));
    assertEquals(AWAY, scene.answer(open));
    assertEquals(0, scene.waiting.dismiss(AWAY));
  }

  @Test
  void aDyingWorkersCallsAreRefused() {
    RecvCall call = waitingCall();
    scene.waiting.orphan(scene.delivery, AWAY);
    assertEquals(AWAY, scene.answer(call));
    assertTrue(scene.waiting.topics().isEmpty());
  }

  /** Its message costs no attempt, and others can have it. */
  @Test
  void leasesForACallThatAnotherWorkerServedReturn() {
    scene.put(1, 1);
    RecvCall call = scene.call(DispatchScene.WAIT);
    List<Lease> taken = scene.collector.collect(List.of(scene.shard), 0, call, true).taken();
    assertTrue(call.claim());
    scene.delivery.deliver(call, taken, call.since());
    assertEquals(0, scene.inflight());
    assertEquals(List.of(), scene.leases());
    assertEquals(1, scene.shard.prefetched().size());
    assertEquals(1, scene.ready.list().size(), "for calls that wait");
    scene.delivery.giveBack(taken);
    assertEquals(0, scene.inflight(), "once");
  }

  @Test
  void aMessageThatExpiredIsADeadLetterInstead() {
    scene.put(1, 1);
    scene.worker.time.advance(Duration.ofDays(8));
    scene.worker.context.session(
        scene.worker.context.session(), scene.worker.time.instant().minus(Duration.ofDays(8)));
    assertEquals(Delivered.NONE, scene.answer(recv(scene.call(DispatchScene.NO_WAIT))));
    scene.worker.commit();
    assertEquals(1, scene.worker.broker.quarantined(scene.worker.topic.name()).size());
    assertTrue(scene.shard.prefetched().isEmpty());
    assertEquals(0, scene.inflight());
  }
}
