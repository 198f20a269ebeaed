package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** ADR 58 lists each test that does not run on Open Liberty, with the difference it is about. */
class OnlyOnWildFlyTest {
  private static final Path TESTS = Path.of("src/test/java/org/svcmailbox/it");
  private static final Path DECISION = Path.of("../../docs/adr/0058-open-liberty.md");

  /** The annotation's text, then the name of the class or of the method. */
  private static final Pattern MARKED =
      Pattern.compile(
          "@OnlyOnWildFly\\(\\s*\"([^\"]+)\"\\s*\\)[^{]*?\\b(?:class (\\w+)|(?:void|>) (\\w+)\\()");

  private static final Pattern LISTED = Pattern.compile("\\| `(\\w+IT[.\\w]*)` \\| ([^|]+) \\|");

  @Test
  void theDecisionListsEachAndNoOther() throws IOException {
    Set<String> marked = new TreeSet<>();
    try (Stream<Path> files = Files.walk(TESTS)) {
      files.filter(file -> file.toString().endsWith("IT.java")).forEach(file -> add(file, marked));
    }
    List<String> decision = Files.readAllLines(DECISION);
    Set<String> listed =
        decision.stream()
            .flatMap(line -> LISTED.matcher(line).results())
            .map(row -> row.group(1) + ": " + row.group(2))
            .collect(Collectors.toCollection(TreeSet::new));
    assertFalse(marked.isEmpty(), "none is marked");
    assertEquals(marked, listed);
    for (String test : marked) {
      String row = "| " + test.substring(test.indexOf(": ") + 2);
      assertTrue(decision.stream().anyMatch(line -> line.startsWith(row)), test);
    }
  }

  private static void add(Path file, Set<String> marked) {
    try {
      MARKED.matcher(Files.readString(file)).results().forEach(one -> marked.add(test(file, one)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String test(Path file, MatchResult marked) {
    String type = file.getFileName().toString().replace(".java", "");
    return type + (marked.group(3) == null ? "" : "." + marked.group(3)) + ": " + marked.group(1);
  }
}
