package org.svcmailbox.core.worker.handover;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Table<String> table = new Table<>(text -> text.getBytes(US_ASCII));

  @Test
  void aValueIsWrittenOnceAndKeepsItsPlace() {
    List<String> values = List.of("holder", "topic", "holder", "topic", "other");
    assertEquals(List.of(0, 1, 0, 1, 2), values.stream().map(table::placeOf).toList());
    assertEquals(
        List.of("holder", "topic", "other"),
        table.encoded().stream().map(bytes -> new String(bytes, US_ASCII)).toList());
  }

  @Test
  void onlyANewValueMakesItGrow() {
    assertEquals(6, table.sizeOf("holder"));
    assertEquals(0, table.placeOf("holder"));
    assertEquals(0, table.sizeOf("holder"));
    assertEquals(1, table.encoded().size());
  }
}
