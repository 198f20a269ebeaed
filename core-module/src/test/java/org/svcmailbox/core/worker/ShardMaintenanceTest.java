package org.svcmailbox.core.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerScene;

class ShardMaintenanceTest {
  private final WorkerScene scene = new WorkerScene();
  private final ShardState shard = scene.shard();
  private final ShardMaintenance maintenance = new ShardMaintenance(scene.context);

  private void prefetch() {
    scene.put(scene.message());
    shard.arrived(scene.fetch());
    shard.receivingAt(scene.time.nanos());
  }

  private void runAfter(Duration passed) {
    scene.time.advance(passed);
    maintenance.run(scene.time.nanos());
  }

  private long age() {
    return shard.counters().prefetchedAge(scene.time.instant().toEpochMilli());
  }

  @Test
  void theAgeOfPrefetchedMessagesIsPublishedEachSecond() {
    prefetch();
    runAfter(Duration.ofMillis(999));
    assertEquals(0, age());
    runAfter(Duration.ofMillis(1));
    assertEquals(1_000, age());
    shard.released();
    runAfter(Duration.ofMillis(999));
    assertEquals(1_999, age(), "as published");
    runAfter(Duration.ofMillis(1));
    assertEquals(0, age());
  }

  /** Seconds after the worker's start when a call last asked for the shard, and a run's time. */
  @ParameterizedTest
  @CsvSource({
    "0, 29, true",
    "0, 30, true",
    "0, 60, false",
    "29, 59, true",
    "29, 60, false",
    "31, 60, true"
  })
  void aShardThatNobodyAskedForInHalfAMinuteIsReleased(
      int asked, int seconds, boolean isReceiving) {
    scene.time.advance(Duration.ofSeconds(asked));
    prefetch();
    for (int second = asked; second < seconds; second++) {
      runAfter(Duration.ofSeconds(1));
    }
    assertEquals(isReceiving, shard.isReceiving());
    assertEquals(isReceiving ? 1 : 0, scene.broker.delivering(), "else others can have it");
    assertEquals(!isReceiving, shard.prefetched().isEmpty());
  }
}
