package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.worker.state.WorkerScene;
import org.svcmailbox.test.log.OwnLog;

class SessionLifecycleTest {
  private static final Duration NANO = Duration.ofNanos(1);

  private final WorkerScene scene = new WorkerScene();
  private final SessionLifecycle sessions = new SessionLifecycle(scene.context, new LostSessions());

  private void loseSession() {
    sessions.end(BrokerSession::close);
    sessions.reopenLater();
  }

  private void failAndWait(Duration delay) {
    assertFalse(sessions.open(() -> {}));
    assertEquals(delay.toNanos(), sessions.untilDue(scene.time.nanos()));
    scene.time.advance(delay);
  }

  @Test
  void aSessionIsOpenedWhenItIsDue() {
    loseSession();
    assertFalse(scene.context.hasSession());
    scene.time.advance(Duration.ofMillis(100).minus(NANO));
    assertFalse(sessions.open(() -> {}));
    scene.time.advance(NANO);
    assertTrue(sessions.open(() -> {}));
    assertTrue(scene.context.hasSession());
    assertEquals(scene.time.instant(), scene.context.sessionSince());
  }

  @Test
  void eachFailureDoublesTheTimeToTheNextAttemptUpToHalfASecond() {
    sessions.end(BrokerSession::close);
    scene.broker.goDown();
    List.of(100, 200, 400, 500, 500).forEach(millis -> failAndWait(Duration.ofMillis(millis)));
    assertEquals(5, scene.count(Family.BACKOFF_RETRIES_TOTAL, "broker_session"));
    scene.broker.comeBack();
    assertTrue(sessions.open(() -> {}));
    loseSession();
    assertEquals(
        Duration.ofMillis(100).toNanos(), sessions.untilDue(scene.time.nanos()), "from the start");
  }

  @Test
  void aFailureIsToldOnce() {
    sessions.end(BrokerSession::close);
    try (OwnLog log = new OwnLog(LostSessions.class.getName())) {
      scene.broker.goDown();
      for (int i = 0; i < 3; i++) {
        assertFalse(sessions.open(() -> {}));
        scene.time.advance(Duration.ofSeconds(1));
      }
      assertEquals(1, log.lines(Level.WARNING).size(), log.lines()::toString);
      scene.broker.comeBack();
      assertTrue(sessions.open(() -> {}));
      sessions.opened();
      loseSession();
      scene.broker.goDown();
      scene.time.advance(Duration.ofSeconds(1));
      assertFalse(sessions.open(() -> {}));
      assertEquals(2, log.lines(Level.WARNING).size(), "another outage");
    }
  }

  @Test
  void aWorkerIsHealthyOnceAllItsPartsKnowTheSession() {
    assertFalse(sessions.isHealthy());
    sessions.opened();
    assertTrue(sessions.isHealthy());
    sessions.end(BrokerSession::close);
    assertFalse(sessions.isHealthy());
    assertEquals(0, scene.broker.openSessions());
    sessions.end(BrokerSession::fail);
    assertEquals(0, scene.broker.failedSessions(), "there was none");
  }

  /** A transaction in doubt may have changed the queues, and topics may be gone. */
  @Test
  void theShardsOfANewSessionAreThoseThatThereAreAsTheBrokerHasThem() {
    scene.put(scene.message());
    assertEquals(0, scene.shard().counters().depth());
    loseSession();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(sessions.open(() -> {}));
    assertEquals(1, scene.shard().counters().depth());

    loseSession();
    scene.context.ports().topics().delete(scene.topic.name(), topic -> {});
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(sessions.open(() -> {}));
    assertFalse(scene.context.shards().iterator().hasNext());
  }
}
