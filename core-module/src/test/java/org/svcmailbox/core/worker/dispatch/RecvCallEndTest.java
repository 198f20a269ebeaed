package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.bounds.InflightLimits.Full;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.LeasingScene;
import org.svcmailbox.core.worker.state.Refusals;

class RecvCallEndTest {
  private static final long DEADLINE = 100;
  private static final Refusal AWAY = Refusals.brokerAway();

  private final List<Lease> leases = new LeasingScene(10).leases;
  private final List<Lease> givenBack = new ArrayList<>();
  private final Consumer<List<Lease>> takeBack = givenBack::addAll;
  private final Consumer<List<Lease>> another = new ArrayList<Lease>()::addAll;
  private final RecvCall call = call(Duration.ofSeconds(1));

  private static RecvCall call(Duration maxWait) {
    RecvRequest request =
        new RecvRequest(LeasingScene.TOPIC.name(), null, 1, 1, maxWait, /* shard= */ null);
    return new RecvCall(
        SampleCallers.OPERATOR,
        LeasingScene.TOPIC,
        request,
        Duration.ofSeconds(5),
        /* window= */ null,
        0,
        DEADLINE,
        /* workers= */ 3);
  }

  /** Null while there is no answer. */
  private @Nullable RecvOutcome answer() {
    CompletableFuture<RecvOutcome> outcome = call.outcome().toCompletableFuture();
    return outcome.getNow(null);
  }

  @Test
  void oneWorkerMayAnswer() {
    assertTrue(call.isOpen());
    assertTrue(call.claim());
    assertFalse(call.isOpen());
    assertFalse(call.claim());
    assertFalse(call.claim(takeBack, leases));
  }

  @Test
  void theLastOfItsWorkersEndsACallThatNobodyHadAMessageFor() {
    assertFalse(call.countPass(null));
    assertFalse(call.countPass(Full.TOPIC));
    assertTrue(call.countPass(null));
    assertEquals(Full.TOPIC, call.stoppedBy(), "one limit is reason enough");
  }

  @ParameterizedTest
  @CsvSource({"99, false", "100, true", "101, true"})
  void aWaitEndsAtItsDeadline(long now, boolean isOver) {
    call.endDue(now);
    assertEquals(isOver ? Delivered.NONE : null, answer());
    assertEquals(!isOver, call.isOpen());
  }

  @Test
  void aWaitThatAWorkerHasClaimedIsNotEndedByTime() {
    assertTrue(call.claim(takeBack, leases));
    call.endDue(DEADLINE);
    call.refuse(AWAY);
    assertNull(answer());
  }

  @Test
  void leasesOfAClientThatHungUpReturnOnce() {
    assertTrue(call.claim(takeBack, leases));
    call.abandon();
    call.abandon();
    assertEquals(leases, givenBack);
    assertEquals(Delivered.NONE, answer());
  }

  @Test
  void noWorkerClaimsACallWhoseClientHungUp() {
    call.abandon();
    assertFalse(call.isOpen());
    assertFalse(call.claim(takeBack, leases));
    assertEquals(List.of(), givenBack);
  }

  /** Whether it waits; whether it needs an answer before a worker claims it, and after. */
  @ParameterizedTest
  @CsvSource({"0, true, true", "1000, false, true"})
  void anOpenWaitNeedsNoAnswerYet(long waitMillis, boolean whileOpen, boolean onceClaimed) {
    RecvCall some = call(Duration.ofMillis(waitMillis));
    assertEquals(waitMillis > 0, some.waits());
    assertEquals(whileOpen, !some.isAnswered());
    assertTrue(some.claim());
    assertEquals(onceClaimed, !some.isAnswered());
    some.answer(Delivered.NONE);
    assertTrue(some.isAnswered());
  }

  @Test
  void aWaitingWorkersCallIsRefusedAndItsLeasesReturn() {
    assertTrue(call.claim(takeBack, leases));
    call.cut(another, AWAY);
    assertNull(answer(), "it is another worker's");
    call.cut(takeBack, AWAY);
    assertEquals(AWAY, answer());
    assertEquals(leases, givenBack);
  }

  @Test
  void aCallThatWasAnsweredInTimeKeepsItsLeases() {
    assertTrue(call.claim(takeBack, leases));
    call.answer(Delivered.NONE);
    call.cut(takeBack, AWAY);
    assertEquals(Delivered.NONE, answer());
    assertEquals(List.of(), givenBack);
  }

  @Test
  void anOpenCallOfAWaitingWorkerIsRefused() {
    call.cut(takeBack, AWAY);
    assertEquals(AWAY, answer());
    assertFalse(call.isOpen());
  }

  /** Its leases ended with its session, so none returns. */
  @Test
  void aDeadWorkersCallIsRefusedUnlessAnotherHasClaimedIt() {
    assertTrue(call.claim(takeBack, leases));
    call.orphaned(another, AWAY);
    assertNull(answer());
    call.orphaned(takeBack, AWAY);
    assertEquals(AWAY, answer());
    assertEquals(List.of(), givenBack);
  }

  @Test
  void anOpenCallOfADeadWorkerIsRefused() {
    call.orphaned(takeBack, AWAY);
    assertEquals(AWAY, answer());
    assertFalse(call.claim());
  }
}
