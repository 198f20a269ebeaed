package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.batch.ProjectionLane.ConfirmedBatch;
import org.svcmailbox.core.batch.ProjectionLane.Met;

/** A lane whose batch number n is of topic n alone. */
class ProjectionLaneTest {
  private static final Set<Integer> NONE = Set.of();

  private final ProjectionLane lane = new ProjectionLane(WorkerId.of(0), BatchId.NONE, id(0));

  private static BatchId id(long number) {
    return SampleBatch.id(number);
  }

  private void add(int number) {
    Batch batch = SampleBatch.of(0, number, new SampleShard(number, 0).rows("k", 1, Instant.EPOCH));
    lane.add(new ConfirmedBatch(batch, List.of(), 0, /* isReplayed= */ false));
  }

  private void addAll(int count) {
    for (int number = 1; number <= count; number++) {
      add(number);
    }
  }

  private static Set<Integer> topics(String numbers) {
    return Stream.of(numbers.split(" ", -1))
        .filter(number -> !number.isEmpty())
        .map(Integer::valueOf)
        .collect(Collectors.toSet());
  }

  /** The lane has batches 1 to 5, of which the database had 3. */
  @ParameterizedTest
  @CsvSource({
    "0, FELL_BACK, '1 2 3', '1 2 3 4 5'",
    "1, FELL_BACK, '2 3', '2 3 4 5'",
    "2, FELL_BACK, '3', '3 4 5'",
    "3, ON_COURSE, '', '4 5'",
    "4, ON_COURSE, '', '4 5'",
    "6, BEYOND, '', '4 5'"
  })
  void aFallbackPutsBatchesBack(long found, Met met, String behind, String pending) {
    addAll(5);
    lane.applyUpTo(id(3));
    assertEquals(topics(behind), lane.topicsBehind(id(found)));
    assertEquals(met, lane.meet(id(found), NONE));
    assertEquals(topics(pending), lane.pendingTopics());
    assertEquals(met == Met.BEYOND, lane.isBroken());
    assertEquals(met == Met.BEYOND, lane.isOvertaken());
    assertEquals(met == Met.FELL_BACK ? found : 3, lane.position().number());
  }

  /** Another stamp is another history, behind the last batch too. */
  @ParameterizedTest
  @CsvSource({"3, LOST", "5, LOST", "6, BEYOND"})
  void aBatchOfAnotherHistoryIsNeverOnCourse(long number, Met met) {
    addAll(5);
    lane.applyUpTo(id(3));
    assertEquals(met, lane.meet(new BatchId(number, 7), NONE));
    assertTrue(lane.isLost());
    assertEquals(Met.ON_COURSE, lane.meet(id(4), NONE));
    assertFalse(lane.isBroken(), "the lane goes on once the database is back");
  }

  @Test
  void aFallbackBehindTheLastTopicsIsALoss() {
    addAll(3);
    lane.applyUpTo(id(3));
    assertEquals(Met.LOST, lane.meet(id(1), Set.of(2)));
    assertEquals(3, lane.position().number());
    assertEquals(Met.FELL_BACK, lane.meet(id(1), NONE), "once the database knows the topic");
  }

  @ParameterizedTest
  @CsvSource({"1, '1 2 3'", "2, '2 3'", "3, '3'"})
  void whatTheLogNoLongerHasIsForgotten(long oldest, String left) {
    addAll(3);
    lane.applyUpTo(id(3));
    lane.release(id(oldest));
    assertEquals(topics(left), lane.topics());
    lane.meet(id(oldest), NONE);
    assertFalse(lane.isLost(), "as far as the log reaches");
    lane.meet(id(oldest - 1), NONE);
    assertTrue(lane.isLost(), "behind it");
  }

  @Test
  void aRefusalIsNewOnce() {
    addAll(2);
    assertTrue(lane.refuse(id(1), "full"));
    assertFalse(lane.refuse(id(1), "full"));
    assertTrue(lane.isBroken());
    assertFalse(lane.isDue());
    assertEquals(Optional.of(id(1)), lane.refused().map(one -> one.batch().id()));
  }

  @Test
  void aRefusedBatchIsTriedOnceForEachRetry() {
    add(1);
    lane.retry();
    assertFalse(lane.isOnTrial(), "nothing is refused");
    lane.refuse(id(1), "full");
    assertFalse(lane.isOnTrial());
    lane.retry();
    assertTrue(lane.isOnTrial());
    assertEquals(id(1), lane.trial().to());
    assertFalse(lane.isOnTrial());
  }

  @Test
  void aRefusalEndsWithItsBatch() {
    addAll(2);
    lane.refuse(id(1), "full");
    lane.applyUpTo(id(1));
    assertEquals(Optional.empty(), lane.refused());
    assertTrue(lane.isDue());
    assertTrue(lane.refuse(id(2), "full"), "another one");
  }

  /** A lane that began again while the database was asked. */
  @Test
  void theRefusalOfABatchThatIsNotNextIsNone() {
    assertFalse(lane.refuse(id(1), "full"));
    addAll(2);
    lane.applyUpTo(id(1));
    assertFalse(lane.refuse(id(1), "full"));
    assertFalse(lane.isBroken());
  }

  /** The batches that follow may fit the database as it is now. */
  @Test
  void aRefusalEndsWhenTheDatabaseFallsBack() {
    addAll(2);
    lane.applyUpTo(id(1));
    lane.refuse(id(2), "full");
    lane.meet(id(0), NONE);
    assertFalse(lane.isBroken());
    assertTrue(lane.isDue());
  }

  @Test
  void aLostLaneRefusesNothingAndTriesNothing() {
    addAll(2);
    lane.refuse(id(1), "full");
    lane.retry();
    lane.meet(id(9), NONE);
    assertTrue(lane.isLost());
    assertEquals(Optional.empty(), lane.refused());
    assertFalse(lane.isOnTrial());
    lane.retry();
    assertFalse(lane.isOnTrial());
    assertEquals(Met.ON_COURSE, lane.meet(id(0), NONE));
    assertEquals(Optional.of(id(1)), lane.refused().map(one -> one.batch().id()));
  }

  /** Nothing tells which ledgers a lost lane's database lacks. */
  @Test
  void theLastBatchOfALedgerIsTheLastThatTheDatabaseLacks() {
    addAll(4);
    lane.applyUpTo(id(1));
    assertEquals(4, lane.lastNumber());
    assertEquals(3, lane.lastNumber(new SampleShard(3, 0).ledger()));
    assertEquals(1, lane.lastNumber(new SampleShard(1, 0).ledger()), "it has it");
    lane.meet(id(9), NONE);
    assertEquals(4, lane.lastNumber(new SampleShard(3, 0).ledger()));
  }
}
