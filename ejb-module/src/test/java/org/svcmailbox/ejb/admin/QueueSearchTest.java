package org.svcmailbox.ejb.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueSearchTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, true",
    "20000, 268435456, true",
    "20001, 0, false",
    "20001, 268435456, false",
    "1, 268435457, false"
  })
  void onlyShortQueuesAreLookedThrough(long messages, long bytes, boolean isShort) {
    assertEquals(isShort, QueueSearch.isShort(messages, bytes));
  }
}
