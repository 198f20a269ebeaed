package org.svcmailbox.core.sendlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendLog.Reserved;

class StoreAcceptanceTest {
  private static final BatchStanding AGREED = standing(0, 4, 4);
  private static final BatchStanding DATABASE_OLDER = standing(1, 4, 6);
  private static final BatchStanding BROKER_OLDER = standing(2, 9, 2);

  private static BatchStanding standing(int worker, long reserved, long logged) {
    return new BatchStanding(
        worker,
        new Reserved(SampleBatch.id(reserved), SampleBatch.id(reserved - 1)),
        SampleBatch.id(logged));
  }

  private static String refusal(Optional<String> accepted, BatchStanding... standings) {
    return String.valueOf(
        assertThrows(
                StoresRefusedException.class,
                () -> new StoreAcceptance(accepted).require(List.of(standings)))
            .getMessage());
  }

  private static String code(BatchStanding... standings) {
    String refusal = refusal(Optional.empty(), standings);
    return refusal.substring(refusal.lastIndexOf('=') + 1);
  }

  @Test
  void storesOfOneMomentNeedNoAcceptance() {
    new StoreAcceptance(Optional.empty()).require(List.of(AGREED, standing(1, 4, 3)));
    new StoreAcceptance(Optional.of("left behind")).require(List.of(AGREED));
  }

  @Test
  void aRefusalSaysWhatIsWrongAndHowToGoOn() {
    String refusal = refusal(Optional.empty(), AGREED, DATABASE_OLDER, BROKER_OLDER);
    assertTrue(
        refusal.contains(
            "the database is older than the broker; it lacks batches 5 to 6 of worker 1, and 1"
                + " more"),
        refusal);
    assertTrue(refusal.matches(".*mailbox[.]accept=database-older-[0-9a-f]{8}"), refusal);
    assertEquals(1, refusal.lines().count());
  }

  @Test
  void theCodePermitsThisSituationAndNoOther() {
    String code = code(DATABASE_OLDER);
    new StoreAcceptance(Optional.of(code)).require(List.of(AGREED, DATABASE_OLDER));
    assertEquals(
        code(BROKER_OLDER),
        refusal(Optional.of(code), BROKER_OLDER).replaceAll(".*mailbox[.]accept=", ""));
    assertNotEquals(code, code(standing(1, 4, 7)));
    assertNotEquals(code, code(DATABASE_OLDER, BROKER_OLDER));
    assertNotEquals(
        code,
        code(new BatchStanding(1, DATABASE_OLDER.reserved(), new BatchId(6, 1))),
        "another history");
  }
}
