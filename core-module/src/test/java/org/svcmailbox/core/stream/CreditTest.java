package org.svcmailbox.core.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreditTest {
  private final Credit credit = Credit.none();

  @Test
  void nothingIsGrantedAtFirst() {
    assertTrue(credit.isSpent());
    assertFalse(Credit.endless().isSpent());
    assertEquals(7, Credit.endless().messages(7));
    assertEquals(8, Credit.endless().bytes(8));
  }

  @Test
  void oneMessageExceedsTheBytesAndLaterCreditPaysForIt() {
    credit.add(3, 10);
    credit.spend(25);
    assertTrue(credit.isSpent());
    credit.add(0, 15);
    assertTrue(credit.isSpent());
    credit.add(0, 1);
    assertFalse(credit.isSpent());
    assertEquals(2, credit.messages(100));
    assertEquals(1, credit.bytes(100));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "0, 1", "0, 0"})
  void bothAreNeeded(long messages, long bytes) {
    credit.add(messages, bytes);
    assertTrue(credit.isSpent());
  }

  /** Credit of a client comes as an unsigned number. */
  @ParameterizedTest
  @CsvSource({"-1", "9223372036854775807", "1000001"})
  void tooMuchIsClamped(long much) {
    credit.add(much, -1);
    credit.add(much, much);
    assertEquals(Credit.MOST_MESSAGES, credit.messages(Integer.MAX_VALUE));
    credit.spend(1);
    assertEquals(Credit.MOST_MESSAGES - 1, credit.messages(Integer.MAX_VALUE));
    assertTrue(credit.bytes(Long.MAX_VALUE) <= Credit.MOST_BYTES);
  }
}
