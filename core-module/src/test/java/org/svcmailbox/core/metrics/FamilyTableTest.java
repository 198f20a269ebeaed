package org.svcmailbox.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.metrics.Family.Kind;

/** The documented table of metrics matches the code. */
class FamilyTableTest {
  private static final Path DOCUMENT =
      Path.of(System.getProperty("basedir", "."), "..", "docs", "METRICS.md");

  private static String row(Family family) {
    String labels =
        family.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
    return squeezed(
        String.format(
            "| `%s` | %s | %s | %s | %s |",
            family.text(), family.kind().text(), labels, family.unit(), family.help()));
  }

  private static String squeezed(String row) {
    return row.replaceAll(" +", " ");
  }

  @Test
  void everyFamilyHasItsRowAndEveryRowIsAFamily() throws IOException {
    List<String> rows =
        Files.readAllLines(DOCUMENT).stream()
            .filter(line -> line.startsWith("| `"))
            .map(FamilyTableTest::squeezed)
            .toList();
    assertEquals(Arrays.stream(Family.values()).map(FamilyTableTest::row).toList(), rows);
  }

  @ParameterizedTest
  @EnumSource
  void namesAreThoseOfPrometheus(Family family) {
    assertTrue(family.text().matches("[a-z][a-z_]*"), family.text());
    assertEquals(family.kind() == Kind.COUNTER, family.text().endsWith("_total"));
    assertTrue(family.labels().stream().allMatch(label -> label.matches("[a-z_]+")));
  }
}
