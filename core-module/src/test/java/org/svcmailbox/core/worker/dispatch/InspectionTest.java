package org.svcmailbox.core.worker.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.worker.state.WorkerScene;

class InspectionTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private final DispatchScene scene = new DispatchScene();
  private final WorkerScene worker = scene.worker;

  private Delivery prefetch(StoredMessage message) {
    worker.put(message);
    Delivery delivery = worker.fetch();
    scene.shard.arrived(delivery);
    return delivery;
  }

  private List<DeadLetterReason> deadLetters() {
    worker.commit();
    return worker.broker.quarantined(worker.topic.name()).stream()
        .map(ObservedLetter::why)
        .map(why -> why.reason())
        .toList();
  }

  private boolean passes(Delivery delivery) {
    return scene.inspection.passOrQuarantine(scene.shard, worker.topic, delivery);
  }

  @Test
  void anIntactMessageIsHashedOnce() {
    Delivery delivery = prefetch(worker.message());
    assertFalse(delivery.isVerified());
    assertTrue(passes(delivery));
    assertTrue(delivery.isVerified());
    assertEquals(1, scene.shard.prefetched().size());
    assertEquals(List.of(), deadLetters());
  }

  @Test
  void aMessageWithAnotherPayloadIsADeadLetter() {
    StoredMessage sent = worker.message();
    Payload other = Payload.owning(new byte[] {1});
    Delivery delivery = prefetch(new StoredMessage(sent.envelope(), other, null, sent.expiresAt()));
    assertFalse(passes(delivery));
    assertTrue(scene.shard.prefetched().isEmpty());
    assertEquals(List.of(DeadLetterReason.INTEGRITY), deadLetters());
    assertEquals(1, worker.count(Family.INTEGRITY_FAIL_TOTAL, "hash"));
  }

  /** Seconds after noon: when the message was ready, expired, when the session began, and now. */
  @ParameterizedTest
  @CsvSource({
    "0, 10, 0, 9, false",
    "0, 10, 0, 10, true",
    "0, 10, 0, 11, true",
    // No client could receive it before the session began.
    "0, 10, 5, 14, false",
    "0, 10, 5, 15, true"
  })
  void aMessageExpiresAtItsTime(int ready, int expires, int session, int now, boolean isOver) {
    worker.time.jumpWall(Duration.between(worker.time.instant(), START.plusSeconds(now)));
    worker.context.session(worker.context.session(), START.plusSeconds(session));
    assertEquals(
        isOver, scene.inspection.isOver(START.plusSeconds(ready), START.plusSeconds(expires)));
  }

  @Test
  void expiredMessagesOfABufferEndSoManyAtATime() {
    List<Delivery> three =
        List.of(prefetch(worker.message()), prefetch(worker.message()), prefetch(worker.message()));
    assertEquals(0, scene.inspection.endExpired(scene.shard, 2));
    worker.time.advance(Duration.ofDays(8));
    worker.context.session(worker.context.session(), three.get(0).readySince());
    assertEquals(2, scene.inspection.endExpired(scene.shard, 2));
    assertEquals(1, scene.inspection.endExpired(scene.shard, 2));
    assertTrue(scene.shard.prefetched().isEmpty());
    assertEquals(3, deadLetters().size());
  }
}
