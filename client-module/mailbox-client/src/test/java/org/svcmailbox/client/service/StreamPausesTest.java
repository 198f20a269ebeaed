package org.svcmailbox.client.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.service.StreamEnding.Next;

class StreamPausesTest {
  private final StreamPauses pauses = new StreamPauses(() -> 1);

  @ParameterizedTest
  @CsvSource({
    "AGE, REOPEN_LATER, false, 100",
    "SLOW, REOPEN_LATER, false, 100",
    "ERROR, REOPEN_LATER, false, 100",
    "DRAIN, REOPEN_LATER, true, 1000",
    "CAPABILITY, REFUSE, true, 0",
    "TOPIC, REFUSE, true, 0",
    "CUT, REOPEN_LATER, false, 100",
    "SILENT, REOPEN_LATER, false, 100",
    "UNREADABLE, FAIL, false, 0",
    "UNATTENDED, REOPEN, false, 0",
    "RESHAPED, REOPEN, false, 0",
    "STALE, REOPEN, false, 0",
    "CLOSED, REOPEN, false, 0"
  })
  void everyEndHasWhatFollows(StreamEnding ending, Next next, boolean isFinal, long millis) {
    assertEquals(next, ending.next());
    assertEquals(isFinal, ending.isFinal());
    assertEquals(millis, pauses.after(ending, true, true).toMillis());
  }

  @ParameterizedTest
  @CsvSource({
    "age, AGE",
    "drain, DRAIN",
    "capability, CAPABILITY",
    "topic, TOPIC",
    "slow, SLOW",
    "error, ERROR",
    "cut, ERROR",
    "closed, ERROR",
    "AGE, ERROR",
    "'', ERROR"
  })
  void everyReasonIsAnEnd(String reason, StreamEnding ending) {
    assertEquals(ending, StreamEnding.of(reason));
  }

  @Test
  void pausesGrowWhileStreamsBringNothing() {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      millis.add(pauses.after(StreamEnding.CUT, true, false).toMillis());
    }
    assertEquals(List.of(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L), millis);
    assertEquals(100, pauses.after(StreamEnding.CUT, true, true).toMillis());
  }

  @Test
  void aPauseIsARandomPart() {
    assertEquals(50, new StreamPauses(() -> 0.5).after(StreamEnding.CUT, true, true).toMillis());
  }

  @Test
  void twoStreamsThatNeverBeganAreEnough() {
    pauses.after(StreamEnding.SILENT, false, false);
    assertFalse(pauses.givesUp());
    pauses.after(StreamEnding.CUT, true, false);
    pauses.after(StreamEnding.CUT, false, false);
    assertFalse(pauses.givesUp());
    pauses.after(StreamEnding.SILENT, false, false);
    assertTrue(pauses.givesUp());
    assertFalse(pauses.givesUp(), "after a while it is tried again");
  }
}
