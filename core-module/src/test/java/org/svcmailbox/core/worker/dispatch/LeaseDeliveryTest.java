package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.Refusals;

class LeaseDeliveryTest {
  private static final Refusal AWAY = Refusals.brokerAway();

  private final DispatchScene scene = new DispatchScene();
  private final Caller three = new SampleCallers().caller(1, "max_inflight = 3");

  private RecvCall call(Duration wait) {
    return scene.call(three, wait, 2, Long.MAX_VALUE, null);
  }

  private List<Lease> collect(RecvCall call) {
    return scene.collector.collect(List.of(scene.shard), 0, call, true).taken();
  }

  private void deliver(RecvCall call, List<Lease> leases) {
    scene.delivery.deliver(call, leases, call.since());
  }

  private List<Command> owed() {
    List<Command> owed = new ArrayList<>();
    scene.worker.context.owed().forEach(owed::add);
    return owed;
  }

  /** Other calls may lease under the capability between a call's lease and its answer. */
  @Test
  void leasesAboveTheCeilingReturn() {
    scene.put(6, 1);
    List<RecvCall> calls =
        List.of(call(DispatchScene.WAIT), call(DispatchScene.WAIT), call(DispatchScene.WAIT));
    List<List<Lease>> taken = calls.stream().map(this::collect).toList();
    assertEquals(6, scene.inflight());
    deliver(calls.get(0), taken.get(0));
    assertEquals(List.of(1L, 2L), scene.got(calls.get(0)));
    assertEquals(6, scene.inflight(), "nothing returns");
    deliver(calls.get(1), taken.get(1));
    assertEquals(List.of(3L), scene.got(calls.get(1)));
    assertEquals(5, scene.inflight());
    deliver(calls.get(2), taken.get(2));
    Refusal refusal = assertInstanceOf(Refusal.class, scene.answer(calls.get(2)));
    assertEquals("max_inflight", refusal.reason());
    assertEquals(3, scene.inflight());
    assertEquals(3, scene.shard.prefetched().size());
  }

  /** Its command counts as answered while it waits, so that nobody looks for it again. */
  @Test
  void aCallThatWaitedIsOwedItsAnswer() {
    scene.put(2, 1);
    RecvCall waits = scene.call(DispatchScene.WAIT);
    deliver(waits, collect(waits));
    RecvCall other = scene.call(DispatchScene.NO_WAIT);
    deliver(other, collect(other));
    assertEquals(List.of(waits), owed());
  }

  @Test
  void leasesOfAnAnswerThatIsLateReturn() {
    scene.put(1, 1);
    RecvCall call = call(DispatchScene.WAIT);
    List<Lease> taken = collect(call);
    deliver(call, taken);
    scene.delivery.cut(call, AWAY);
    assertEquals(AWAY, scene.answer(call));
    GiveBack unread = assertInstanceOf(GiveBack.class, scene.worker.inbox.poll());
    assertEquals(taken, unread.leases());
    assertTrue(unread.isAnswered(), "nobody waits for it");
    scene.delivery.giveBack(unread.leases());
    assertEquals(0, scene.inflight());
  }

  @Test
  void leasesBeyondAStreamsWindowReturn() {
    scene.put(2, 1);
    StreamWindow window = new StreamWindow(new CapacityLimit("all", "full", 1, () -> 0));
    window.open(1, 100, () -> {});
    RecvCall plain = call(DispatchScene.WAIT);
    RecvCall call =
        new RecvCall(
            three,
            scene.worker.topic,
            new RecvRequest(scene.worker.topic.name(), null, 2, 100, DispatchScene.WAIT, null),
            DispatchScene.VISIBILITY,
            window,
            plain.since(),
            plain.deadline(),
            1);
    List<Lease> taken = collect(plain);
    deliver(call, taken);
    assertEquals(List.of(1L), scene.got(call));
    assertTrue(taken.get(0).isOfStream());
    assertEquals(1, scene.inflight());
    scene.delivery.giveBack(taken);
    assertEquals(1, window.roomMessages(), "it left the window");
  }

  @Test
  void aStreamGivesBackOneLease() {
    scene.put(1, 1);
    Lease lease = collect(call(DispatchScene.WAIT)).get(0);
    List<Lease> givenBack = new ArrayList<>();
    new StreamHold(lease, givenBack::addAll).giveBack();
    assertEquals(List.of(lease), givenBack);
  }
}
