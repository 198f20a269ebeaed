package org.svcmailbox.core.worker.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.KeyTakenException;
import org.svcmailbox.core.batch.Projector;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.WorkerScene;
import org.svcmailbox.test.log.OwnLog;

class BatchLogWriterTest {
  private static final Duration PATIENCE = Duration.ofMillis(100);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MANY_BYTES = 1 << 20;

  /** Bytes of the pages of a batch of one SEND. */
  private static final int BATCH_BYTES = 64 + 80;

  private final WorkerScene scene = new WorkerScene();
  private final Projector projector = scene.registry.projector();
  private final SampleShard shard = new SampleShard(scene.topic.id(), 0);
  private final OwnLog log = new OwnLog(BatchLogWriter.class.getName());

  /** How long the writer was willing to wait, each time that no entry had arrived. */
  private final List<Duration> waits = new ArrayList<>();

  private BatchLogWriter writer = writer(MANY_BYTES);
  private static final long LIFE = 7;

  private int sent;

  /** A log of three entries, of which each batch drops one. */
  @BeforeEach
  void shorten() {
    scene.broker.crash();
    scene.broker.replaceLog(
        WorkerScene.WORKER,
        new TreeMap<>(
            LongStream.rangeClosed(1, 3)
                .mapToObj(number -> entry(number))
                .collect(Collectors.toMap(BatchLogEntry::number, entry -> entry))));
    scene.open();
    writer.opened();
  }

  /** Of this process, so that it takes nothing over. */
  private static BatchLogEntry entry(long number) {
    return new BatchLogEntry(
        BatchLogEntry.Kind.BLANK, LIFE, number, BatchId.NONE, 1, 3, ByteBuffer.allocate(0));
  }

  @AfterEach
  void stop() {
    log.close();
  }

  private BatchLogWriter writer(long bytes) {
    return new BatchLogWriter(
        scene.context,
        new BatchLogPorts(
            scene.registry,
            GroupsHere.all(Groups.ofWorkers(1)),
            new BatchLog.Window(3, bytes),
            LIFE),
        WorkerScene.WORKER);
  }

  /** Withholds the log's entries, and notes how long they are waited for. */
  private void hold() {
    scene.broker.holdLogs(true);
    scene.broker.delayLogs(waits::add);
  }

  private void send() {
    BatchPages pages = BatchPages.of(shard.rows("k" + sent++, 1, scene.time.instant()));
    try {
      scene.registry.take(
          new Batch(WorkerScene.WORKER, writer.next(), pages), scene.time.instant());
    } catch (KeyTakenException e) {
      throw new AssertionError(e);
    }
    writer.stage(pages);
    scene.commit();
    writer.onCommit();
  }

  private void sendAll(int count) {
    for (int i = 0; i < count; i++) {
      assertNull(writer.awaitRoom(1));
      send();
      projector.drain();
    }
  }

  @Test
  void aLogThatIsNotWholeIsWaitedForOnceAndThenLookedAtEveryTwentyMilliseconds() {
    hold();
    assertEquals("settling", writer.awaitOutcomes());
    assertEquals("settling", writer.awaitOutcomes());
    assertEquals(List.of(PATIENCE, Duration.ZERO), waits);
    assertEquals(LOOK_EVERY.toNanos(), writer.untilNextLook(SECOND));
    assertEquals(5, writer.untilNextLook(5));
    assertFalse(writer.isResolved());

    scene.broker.holdLogs(false);
    assertNull(writer.awaitOutcomes());
    assertTrue(writer.isResolved());
    assertEquals(SECOND, writer.untilNextLook(SECOND), "nothing more to look for");
    waits.clear();
    assertNull(writer.awaitOutcomes());
    assertEquals(List.of(), waits);
  }

  @Test
  void theNextSessionWaitsAgain() {
    hold();
    writer.awaitOutcomes();
    scene.open();
    writer.opened();
    writer.awaitOutcomes();
    assertEquals(List.of(PATIENCE, PATIENCE), waits);
  }

  /** Milliseconds after the session was opened, the lines until then, and whether it is stuck. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, false",
    "999, 0, false",
    "1000, 1, false",
    "9999, 1, false",
    "10000, 2, true",
    "20000, 2, true"
  })
  void operatorsHearOfALogThatDoesNotBecomeWhole(long millis, int lines, boolean isStuck) {
    scene.broker.holdLogs(true);
    scene.time.advance(Duration.ofMillis(millis));
    for (int i = 0; i < 3; i++) {
      writer.awaitOutcomes();
    }
    assertEquals(lines, log.lines().size(), log.lines()::toString);
    assertEquals(isStuck, writer.isStuck());

    scene.broker.holdLogs(false);
    assertNull(writer.awaitOutcomes());
    assertFalse(writer.isStuck());
    assertEquals(lines > 0 ? lines + 1 : 0, log.lines().size(), "its end, if its beginning");
  }

  @Test
  void anEntryThatIsLateIsWaitedForOnceAndToldOnce() {
    writer.awaitOutcomes();
    sendAll(1);
    hold();
    sendAll(1);
    waits.clear();
    assertEquals("settling", writer.awaitRoom(1));
    assertEquals("settling", writer.awaitRoom(1));
    assertEquals(List.of(PATIENCE, Duration.ZERO), waits);
    assertEquals(1, log.lines().size(), log.lines()::toString);

    scene.broker.holdLogs(false);
    sendAll(1);
    scene.broker.holdLogs(true);
    sendAll(1);
    waits.clear();
    assertEquals("settling", writer.awaitRoom(1));
    assertEquals(List.of(PATIENCE), waits, "another one");
    assertEquals(2, log.lines().size(), log.lines()::toString);
  }

  /** The database has none of the first batch's bytes, and the window has room for so many more. */
  @ParameterizedTest
  @CsvSource({"0, log_full", "1, "})
  void theDatabaseMayLackFewerBytesThanTheWindow(int more, String refusal) {
    writer = writer(BATCH_BYTES + more);
    writer.opened();
    writer.awaitOutcomes();
    send();
    assertEquals(refusal, writer.awaitRoom(1));
    projector.drain();
    assertNull(writer.awaitRoom(1));
  }

  @Test
  void aStepWaitsForTheDatabaseAndTheNextOnesOnlyLook() {
    int[] wakes = new int[1];
    writer.awaitOutcomes();
    send();
    send();
    projector.onWork(() -> wakes[0]++);
    assertEquals("log_full", writer.awaitRoom(1));
    int waited = wakes[0];
    assertTrue(waited > 0, "the projection is asked to hurry");
    assertEquals("log_full", writer.awaitRoom(1));
    assertEquals(waited, wakes[0]);
    projector.drain();
    assertNull(writer.awaitRoom(1));
  }

  @Test
  void aDatabaseThatFollowsWithinTheWaitMakesRoom() {
    writer.awaitOutcomes();
    send();
    send();
    projector.onWork(projector::drain);
    assertNull(writer.awaitRoom(1));
  }

  @Test
  void leasesAreHandedOverWhereABatchCouldBeAppended() {
    List<ByteBuffer> leases = List.of(ByteBuffer.wrap(new byte[] {1}));
    scene.broker.holdLogs(true);
    assertFalse(writer.takesLeases(), "its outcomes are unknown");
    scene.broker.holdLogs(false);
    assertTrue(writer.takesLeases());
    writer.stageHandover(leases);
    scene.commit();
    scene.open();
    BatchLog next = new BatchLog(new BatchLog.Window(3, MANY_BYTES), 8);
    next.receive(
        scene.context.session().log(scene.context.worker())::receive, () -> 0, Duration.ZERO);
    assertEquals(leases, next.handedOver());
  }

  /** Batches 1 to 5 were sent, of which the log has the last three. */
  @ParameterizedTest
  @CsvSource({"1, true", "2, true", "3, false", "4, false"})
  void aBatchIsRememberedAsLongAsItIsInTheLog(int fellBackTo, boolean isLost) {
    List<InMemoryProjectionStore> states = new ArrayList<>();
    writer.awaitOutcomes();
    for (int i = 0; i < 5; i++) {
      sendAll(1);
      states.add(scene.store.copy());
    }
    scene.store.replaceBy(states.get(fellBackTo - 1));
    projector.doubt();
    projector.step();
    assertEquals(isLost, projector.trouble().contains("restart the server"));
  }
}
