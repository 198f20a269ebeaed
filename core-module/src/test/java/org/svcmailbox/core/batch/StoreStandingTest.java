package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.ProjectionStore.Advance;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.batch.StoreStanding.Verdict;

class StoreStandingTest {
  /** Of each batch the number and the stamp, as in 4:7. */
  @ParameterizedTest
  @CsvSource({
    "0:0, 0:0, 0:0, true, AGREED",
    "4:7, 2:6, 4:7, true, AGREED",
    "3:7, 1:7, 9:7, true, AGREED",
    "3:7, 3:7, 4:6, true, AGREED",
    "0:0, 0:0, 4:6, true, AGREED",
    "3:7, 4:7, 9:7, false, DATABASE_OLDER",
    "3:7, 5:6, 5:6, false, DATABASE_OLDER",
    "0:0, 1:7, 1:7, false, DATABASE_OLDER",
    "4:7, 0:0, 2:7, false, BROKER_OLDER",
    "4:7, 0:0, 0:0, false, BROKER_OLDER",
    "9:7, 3:6, 5:6, false, BROKER_OLDER",
    "4:7, 4:6, 4:6, false, FOREIGN",
    "4:7, 3:6, 5:6, false, FOREIGN",
    "4:7, 4:6, 9:6, false, FOREIGN",
  })
  void eachDifferenceHasItsVerdict(
      String applied, String oldest, String last, boolean isKnown, Verdict verdict) {
    StoreStanding standing = standing(id(applied), id(oldest), id(last), isKnown);
    assertEquals(verdict, standing.verdict());
    assertEquals(verdict != Verdict.AGREED, standing.isMismatch());
    assertEquals(verdict == Verdict.AGREED, standing.detail().isEmpty());
  }

  /** The database lacks a topic that the log names, so it is of an earlier time. */
  @Test
  void aTopicThatIsLostMakesTheDatabaseOlder() {
    StoreStanding agreed = standing(id("3:7"), id("1:7"), id("9:7"), true);
    StoreStanding lacking = agreed.lacking(Set.of(5));
    assertEquals(Verdict.AGREED, agreed.lacking(Set.of()).verdict());
    assertEquals(Verdict.DATABASE_OLDER, lacking.verdict());
    assertEquals(id("9:7"), lacking.adoption().last());
    assertEquals(3, lacking.adoption().keysAfter());
  }

  @Test
  void theRecordsBehindTheAppliedBatchAreMissing() {
    List<Batch> records =
        List.of(
            SampleBatch.of(3, 2, List.of()),
            SampleBatch.of(3, 3, List.of()),
            SampleBatch.of(3, 4, List.of()));
    StoreStanding standing =
        new StoreStanding(
            WorkerId.of(3),
            SampleBatch.id(3),
            SampleBatch.id(1),
            SampleBatch.id(4),
            true,
            records,
            Set.of(),
            List.of());
    assertEquals(records.subList(2, 3), standing.missing());
  }

  @Test
  void theDetailNamesTheBatchesThatAreLost() {
    assertEquals(
        "the database is older than the broker; it lacks batches 4 to 9 of worker 3",
        standing(id("3:7"), id("5:7"), id("9:7"), false).detail());
    assertEquals(
        "the broker is older than the database; it lacks batches 3 to 4 of worker 3",
        standing(id("4:7"), id("0:0"), id("2:7"), false).detail());
    assertEquals(
        "database and broker have different batches 4 of worker 3",
        standing(id("4:7"), id("4:6"), id("9:6"), false).detail());
  }

  @Test
  void anOlderDatabaseSkipsWhatTheLostBatchesCanHaveGiven() {
    ProjectionStore.Adoption adoption = standing(id("4:7"), id("6:7"), id("8:7"), false).adoption();
    assertEquals(WorkerId.of(3), adoption.worker());
    assertEquals(id("8:7"), adoption.last());
    assertEquals(4, adoption.keysAfter());
    assertEquals(1L << 32, adoption.skipped());
  }

  @Test
  void anOlderBrokerCostsTheKeysOfTheBatchesItLost() {
    ProjectionStore.Adoption adoption = standing(id("4:7"), id("0:0"), id("2:7"), false).adoption();
    assertEquals(id("2:7"), adoption.last());
    assertEquals(2, adoption.keysAfter());
    assertEquals(0, adoption.skipped());
  }

  @Test
  void anotherHistoryCostsAllKeysOfTheWorker() {
    ProjectionStore.Adoption adoption = standing(id("4:7"), id("4:6"), id("9:6"), false).adoption();
    assertEquals(id("9:6"), adoption.last());
    assertEquals(0, adoption.keysAfter());
    assertEquals(1L << 32, adoption.skipped());
  }

  @Test
  void nothingIsTakenOverFromStoresThatAgree() {
    StoreStanding agreed = standing(id("4:7"), id("3:7"), id("5:7"), true);
    assertThrows(IllegalStateException.class, agreed::adoption);
  }

  /** A damaged log proves nothing, however well the rest fits. */
  @ParameterizedTest
  @CsvSource({
    "4:7, 4:7, true, 4:7",
    "4:7, 9:7, true, 9:7",
    "4:7, 9:6, false, 9:6",
    "9:7, 4:7, false, 4:7"
  })
  void damageIsAVerdictOfItsOwn(String applied, String last, boolean isKnown, String adopted) {
    List<DamagedEntry> damaged =
        List.of(new DamagedEntry(513, "altered"), new DamagedEntry(0, "lost"));
    StoreStanding standing =
        new StoreStanding(
            WorkerId.of(3), id(applied), id(last), id(last), isKnown, List.of(), Set.of(), damaged);
    assertEquals(Verdict.LOG_DAMAGED, standing.verdict());
    assertEquals(
        "the log of worker 3 in the broker is damaged: entry 513 (altered), and 1 more",
        standing.detail());
    assertEquals(id(adopted), standing.adoption().last());
    assertEquals(id(applied).number(), standing.adoption().keysAfter());
    assertEquals(1L << 32, standing.adoption().skipped());
  }

  /** The next start finds nothing wrong. */
  @ParameterizedTest
  @CsvSource({"6:7, 8:7", "1:7, 2:7", "3:6, 4:6", "0:0, 0:0", "2:6, 9:6"})
  void afterAnAdoptionTheStoresAgree(String oldest, String last) throws MovedException {
    InMemoryProjectionStore store = new InMemoryProjectionStore();
    SampleShard shard = new SampleShard(1, 0);
    List<Batch> batches = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      List<Row> rows = List.of(shard.row("k" + number, ProjectionStoreContract.LATER));
      batches.add(new Batch(WorkerId.of(3), new BatchId(number, 7), BatchPages.of(rows)));
    }
    store.apply(List.of(new Advance(WorkerId.of(3), BatchId.NONE, batches)));
    BatchLog log = new BatchLog(new BatchLog.Window(64, 1 << 20), 7);
    log.add(BatchLogEntry.blank(1, id(oldest), 1, 2));
    log.add(BatchLogEntry.blank(2, id(last), 1, 2));

    StoreStanding before = log.standing(WorkerId.of(3), store.applied(WorkerId.of(3)));
    assertTrue(before.isMismatch());
    store.adopt(before.adoption());
    StoreStanding after = log.standing(WorkerId.of(3), store.applied(WorkerId.of(3)));
    assertFalse(after.isMismatch(), after::detail);
    assertEquals(id(last), store.applied(WorkerId.of(3)));
  }

  private static StoreStanding standing(
      BatchId applied, BatchId oldest, BatchId last, boolean isKnown) {
    return new StoreStanding(
        WorkerId.of(3), applied, oldest, last, isKnown, List.of(), Set.of(), List.of());
  }

  private static BatchId id(String text) {
    String[] parts = text.split(":", 2);
    return new BatchId(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }
}
