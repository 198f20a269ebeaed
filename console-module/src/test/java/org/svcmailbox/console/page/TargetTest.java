package org.svcmailbox.console.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @ParameterizedTest
  @CsvSource({
    "#/dlq/orders?q=a%20b, /console/#/dlq/orders?q=a%20b",
    "/jobs, /console/#/jobs",
    "//evil.example/, /console/#//evil.example/",
    "https://evil.example/, /console/#https://evil.example/",
    "#, /console/#"
  })
  void aTargetIsAlwaysInTheConsole(String requested, String location) {
    assertEquals(location, Target.of(requested).location());
  }

  @ParameterizedTest
  @ValueSource(strings = {"#a\r\nX: 1", "#a b", "#\u00e9", "#\u0000"})
  void invalidCharactersLeadToTheStartPage(String requested) {
    assertEquals("/console/", Target.of(requested).location());
  }

  @Test
  void aMissingOrTooLongTargetLeadsToTheStartPage() {
    assertEquals("/console/", Target.of(null).location());
    assertEquals("/console/", Target.of("#" + "a".repeat(2_001)).location());
    assertEquals("/console/#" + "a".repeat(2_000), Target.of("a".repeat(2_000)).location());
  }
}
