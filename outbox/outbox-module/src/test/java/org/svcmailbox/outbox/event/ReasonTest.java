package org.svcmailbox.outbox.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReasonTest {
  @Test
  void aReasonIsCutWhereACharacterEnds() {
    assertEquals("a b c", Reason.of("a\0b\ud800c"));
    assertEquals(Reason.MAX, Reason.of("é".repeat(5_000)).length());
    assertEquals(Reason.MAX - 1, Reason.of("a" + "\ud83d\ude00".repeat(5_000)).length());
  }
}
