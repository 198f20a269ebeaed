package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StoreAcceptanceTest {
  private static final StoreStanding AGREED = standing(0, 4, 4);
  private static final StoreStanding DATABASE_OLDER = standing(1, 4, 6);
  private static final StoreStanding BROKER_OLDER = standing(2, 9, 2);

  /** The log has one entry. */
  private static StoreStanding standing(int worker, long applied, long last) {
    return standing(worker, SampleBatch.id(applied), SampleBatch.id(last));
  }

  private static StoreStanding standing(int worker, BatchId applied, BatchId last) {
    return new StoreStanding(
        WorkerId.of(worker),
        applied,
        last,
        last,
        applied.equals(last),
        List.of(),
        Set.of(),
        List.of());
  }

  private static String refusal(List<String> accepted, StoreStanding... standings) {
    return String.valueOf(
        assertThrows(
                StoresRefusedException.class,
                () -> new StoreAcceptance(accepted).require(List.of(standings)))
            .getMessage());
  }

  private static String code(StoreStanding... standings) {
    String refusal = refusal(List.of(), standings);
    return refusal.substring(refusal.lastIndexOf('=') + 1);
  }

  @Test
  void storesOfOneMomentNeedNoAcceptance() {
    new StoreAcceptance(List.of()).require(List.of(AGREED, standing(1, 3, 3)));
    new StoreAcceptance(List.of("left behind")).require(List.of(AGREED));
  }

  @Test
  void aRefusalSaysWhatIsWrongAndHowToGoOn() {
    String refusal = refusal(List.of(), AGREED, DATABASE_OLDER, BROKER_OLDER);
    assertTrue(
        refusal.contains(
            "the database is older than the broker; it lacks batches 5 to 6 of worker 1, and 1"
                + " more"),
        refusal);
    assertTrue(refusal.matches(".*mailbox[.]accept=database-older-[0-9a-f]{8}"), refusal);
    assertEquals(1, refusal.lines().count());
  }

  private static StoreStanding damaged(long... entries) {
    List<DamagedEntry> all =
        LongStream.of(entries).mapToObj(number -> new DamagedEntry(number, "altered")).toList();
    BatchId batch = SampleBatch.id(4);
    return new StoreStanding(WorkerId.of(1), batch, batch, batch, true, List.of(), Set.of(), all);
  }

  @Test
  void aDamagedLogHasItsCodeAndNamesTheEntry() {
    String refusal = refusal(List.of(), AGREED, damaged(513));
    assertTrue(
        refusal.startsWith(
            "The broker lost a part of what it keeps: the log of worker 1 in the broker is damaged:"
                + " entry 513 (altered). No message was changed."),
        refusal);
    assertTrue(refusal.matches(".*mailbox[.]accept=log-damaged-[0-9a-f]{8}"), refusal);
    new StoreAcceptance(List.of(code(damaged(513)))).require(List.of(damaged(513)));
    assertNotEquals(code(damaged(513)), code(damaged(514)));
    assertNotEquals(code(damaged(513)), code(damaged(513, 514)));
  }

  @Test
  void theCodePermitsThisSituationAndNoOther() {
    String code = code(DATABASE_OLDER);
    new StoreAcceptance(List.of(code)).require(List.of(AGREED, DATABASE_OLDER));
    assertTrue(
        refusal(List.of(code), BROKER_OLDER)
            .endsWith("mailbox.accept=" + code + "," + code(BROKER_OLDER)));
    assertNotEquals(code, code(standing(1, 4, 7)));
    assertNotEquals(code, code(DATABASE_OLDER, BROKER_OLDER));
    assertNotEquals(
        code, code(standing(1, DATABASE_OLDER.applied(), new BatchId(6, 1))), "another history");
  }

  @Test
  void eachFindingIsPermittedByOneOfTheCodes() {
    StoreAcceptance both = new StoreAcceptance(List.of(code(BROKER_OLDER), code(DATABASE_OLDER)));
    both.require(List.of(DATABASE_OLDER));
    both.require(List.of(BROKER_OLDER));
    assertThrows(
        StoresRefusedException.class, () -> both.require(List.of(DATABASE_OLDER, BROKER_OLDER)));
  }
}
