package org.svcmailbox.core.batch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.GroupTakeover.State;
import org.svcmailbox.core.problem.UnavailableException;

class GroupTakeoverTest {
  private static final WorkerId GROUP = WorkerId.of(2);
  private static final BatchLog.Window WINDOW = new BatchLog.Window(64, 1 << 20);
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final SendRegistry registry = new SendRegistry(store, System::nanoTime);
  private final GroupTakeover takeover = new GroupTakeover(GROUP, registry);
  private final TreeMap<Long, BatchLogEntry> queue = new TreeMap<>();
  private final SampleShard shard = new SampleShard(1, 2);

  GroupTakeoverTest() {
    for (long number = 1; number <= 64; number++) {
      queue.put(number, BatchLogEntry.blank(number, BatchId.NONE, 1, 64));
    }
  }

  private BatchLog log(long life) {
    BatchLog log = new BatchLog(WINDOW, life);
    queue.values().forEach(log::add);
    return log;
  }

  private void commit(BatchLog.Change change) {
    change.ended().forEach(entry -> queue.remove(entry.number()));
    change.added().forEach(entry -> queue.put(entry.number(), entry));
  }

  /** Another process's batch, which the database lacks. */
  private List<Row> foreignBatch(long number) {
    List<Row> rows = shard.rows("foreign" + number, 2, LATER);
    commit(log(8).append(SampleBatch.id(number), BatchPages.of(rows), BatchId.NONE));
    return rows;
  }

  private void open() {
    BatchLog.Change change = requireNonNull(takeover.next());
    assertEquals(State.OPENING, takeover.state());
    commit(change);
    takeover.opened(change);
    assertEquals(State.LOADING, takeover.state());
  }

  @Test
  void aGroupIsAttachedOpenedLoadedAndHeld() {
    List<Row> rows = foreignBatch(1);
    assertEquals(State.AWAY, takeover.state());
    takeover.attached(log(7));
    assertEquals(State.ATTACHING, takeover.state());
    open();
    assertEquals(66, takeover.epoch(), "after the seed and the batch");
    assertNull(takeover.next(), "the database lacks the batch");
    assertEquals(State.LOADING, takeover.state());
    registry.projector().drain();
    assertNull(takeover.next());
    assertEquals(State.HELD, takeover.state());
    assertEquals(
        Map.of(rows.get(0).key(), new Taken.Confirmed(rows.get(0).reservation())),
        registry.find(List.of(rows.get(0).key()), NOW));
    assertEquals(SampleBatch.id(1), store.applied(GROUP));
  }

  @Test
  void nothingHappensBeforeTheLogIsWhole() {
    BatchLog log = new BatchLog(WINDOW, 7);
    takeover.attached(log);
    List<BatchLogEntry> entries = List.copyOf(queue.values());
    entries.subList(1, 64).forEach(log::add);
    assertNull(takeover.next());
    assertEquals(State.ATTACHING, takeover.state());
    log.add(entries.get(0));
    open();
  }

  /** Each process opens for itself, unless it wrote the newest entry and knows what was before. */
  @ParameterizedTest
  @CsvSource({"false, false, HELD", "true, false, OPENING", "false, true, OPENING"})
  void onlyTheLastWriterThatForgotNothingSkipsTheOpening(
      boolean another, boolean forgot, State expected) {
    takeover.attached(log(7));
    open();
    assertNull(takeover.next());
    assertEquals(State.HELD, takeover.state());
    takeover.lost();
    assertEquals(State.AWAY, takeover.state());
    if (another) {
      commit(log(8).open(BatchId.NONE));
    }
    if (forgot) {
      takeover.released();
    }
    takeover.attached(log(7));
    BatchLog.Change change = takeover.next();
    assertEquals(expected, takeover.state());
    assertEquals(expected == State.HELD, change == null);
  }

  /** The broker fell back to a moment before this process, and the database has no batch of it. */
  @ParameterizedTest
  @CsvSource({"false, CLOSED", "true, OPENING"})
  void aLogThatLostABatchConfirmedHereClosesTheGroup(boolean forgot, State expected)
      throws KeyTakenException {
    TreeMap<Long, BatchLogEntry> before = new TreeMap<>(queue);
    takeover.attached(log(7));
    open();
    assertNull(takeover.next());
    Batch batch = new Batch(GROUP, SampleBatch.id(1), BatchPages.of(shard.rows("lost", 1, LATER)));
    registry.take(batch, NOW);
    registry.resolve(GROUP, batch.id());
    takeover.lost();
    if (forgot) {
      takeover.released();
    }
    queue.clear();
    queue.putAll(before);
    takeover.attached(log(7));
    assertEquals(expected == State.OPENING, takeover.next() != null);
    assertEquals(expected, takeover.state());
    assertEquals(!forgot, takeover.trouble().contains("not batch 1"));
  }

  @Test
  void aGroupThatWasOpenedButNotLoadedIsOpenedAgain() {
    foreignBatch(1);
    takeover.attached(log(7));
    open();
    takeover.lost();
    takeover.attached(log(7));
    open();
    assertEquals(67, takeover.epoch());
  }

  /** The batch of unknown outcome is in the log, or is not. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void theLastWriterLearnsTheOutcomeOfItsBatch(boolean isThere) throws KeyTakenException {
    takeover.attached(log(7));
    open();
    assertNull(takeover.next());
    List<Row> rows = shard.rows("k", 1, LATER);
    Batch batch = SampleBatch.of(2, 1, rows);
    registry.take(batch, NOW);
    if (isThere) {
      commit(log(7).append(batch.id(), batch.pages(), BatchId.NONE));
    }
    takeover.lost();
    takeover.attached(log(7));
    assertNull(takeover.next());
    assertEquals(State.HELD, takeover.state());
    assertEquals(
        isThere ? new Taken.Confirmed(rows.get(0).reservation()) : null,
        registry.find(List.of(rows.get(0).key()), NOW).get(rows.get(0).key()));
  }

  @Test
  void aDatabaseThatIsAwayIsWaitedForInEachState() {
    foreignBatch(1);
    store.away(true);
    takeover.attached(log(7));
    assertThrows(UnavailableException.class, takeover::next);
    assertEquals(State.ATTACHING, takeover.state());
    store.away(false);
    open();
    registry.projector().drain();
    store.away(true);
    assertThrows(UnavailableException.class, takeover::next);
    assertEquals(State.LOADING, takeover.state());
    store.away(false);
    assertNull(takeover.next());
    assertEquals(State.HELD, takeover.state());
  }

  /** As many batches as the log has entries, so that none can go. */
  @Test
  void aLogWithoutASpareEntryIsAppliedFirst() {
    queue.clear();
    for (long number = 1; number <= 64; number++) {
      Batch batch = SampleBatch.of(2, number, List.of());
      queue.put(
          number,
          new BatchLogEntry(
              BatchLogEntry.Kind.BATCH, 8, number, batch.id(), 1, 64, batch.pages().encode()));
    }
    SampleBatch.write(store, SampleBatch.of(2, 1, List.of()));
    takeover.attached(log(7));
    assertNull(takeover.next());
    assertEquals(State.OPENING, takeover.state());
    registry.projector().drain();
    open();
  }

  @Test
  void aMismatchClosesTheGroupAlone() {
    SampleBatch.write(store, SampleBatch.of(2, 5, List.of()));
    SampleBatch.write(store, SampleBatch.of(1, 5, List.of()));
    takeover.attached(log(7));
    assertNull(takeover.next());
    assertEquals(State.CLOSED, takeover.state());
    assertTrue(takeover.trouble().contains("the broker is older"), takeover.trouble());
    assertNotEquals("", registry.mismatch().detail());
    assertNull(takeover.next());
    assertEquals("", registry.projector().trouble(), "nothing of it is projected");
    takeover.lost();
    assertEquals(State.AWAY, takeover.state());
  }

  @Test
  void aBatchThatItsWriterDoesNotKnowClosesTheGroup() {
    takeover.attached(log(7));
    open();
    assertNull(takeover.next());
    commit(log(7).append(SampleBatch.id(4), BatchPages.of(List.of()), BatchId.NONE));
    takeover.lost();
    takeover.attached(log(7));
    assertNull(takeover.next());
    assertEquals(State.CLOSED, takeover.state());
    assertTrue(takeover.trouble().contains("not batch 0"), takeover.trouble());
    assertNotEquals("", registry.mismatch().detail());
  }

  @Test
  void aDamagedLogClosesTheGroupOnceWaitingBringsNoMore() {
    BatchLog log = new BatchLog(WINDOW, 7);
    takeover.attached(log);
    List<BatchLogEntry> entries = List.copyOf(queue.values());
    entries.subList(1, 63).forEach(log::add);
    List<DamagedEntry> damaged = List.of(new DamagedEntry(1, "altered"));
    takeover.damaged(damaged);
    assertEquals(State.ATTACHING, takeover.state(), "an entry is still under way");
    log.add(entries.get(63));
    takeover.damaged(damaged);
    assertEquals(State.CLOSED, takeover.state());
    assertTrue(takeover.trouble().contains("is damaged"), takeover.trouble());
  }
}
