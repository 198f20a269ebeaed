package org.svcmailbox.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents name tests that are there, and the threat model one for each row. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamedTestsTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..").normalize();
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*[a-z](?:Test|IT))`");

  private Set<String> tests = Set.of();

  @BeforeAll
  void find() throws IOException {
    try (Stream<Path> files = Files.find(ROOT, 30, (path, is) -> isTest(path))) {
      tests = files.map(NamedTestsTest::className).collect(Collectors.toSet());
    }
    assertTrue(tests.size() > 500, () -> tests.size() + " tests");
  }

  private static boolean isTest(Path path) {
    String name = path.toString();
    return name.contains("/src/test/java/") && name.endsWith(".java");
  }

  private static String className(Path path) {
    String name = String.valueOf(path.getFileName());
    return name.substring(0, name.length() - ".java".length());
  }

  static Stream<Path> documents() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS)) {
      return files.filter(path -> path.toString().endsWith(".md")).toList().stream();
    }
  }

  private static Set<String> named(String text) {
    return NAMED
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyTestThatADocumentNamesIsThere(Path document) throws IOException {
    Set<String> missing = named(Files.readString(document));
    missing.removeAll(tests);
    assertEquals(Set.of(), missing);
  }

  static Stream<String> threats() {
    try {
      String text = Files.readString(DOCS.resolve("SECURITY.md"));
      return text.substring(text.indexOf("| actor |"), text.indexOf("Out of scope"))
          .lines()
          .skip(2)
          .filter(line -> line.startsWith("|"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("threats")
  void eachThreatHasATest(String row) {
    String shownBy = row.substring(row.lastIndexOf(" | ", row.length() - 3));
    assertTrue(!named(shownBy).isEmpty(), row);
  }

  @Test
  void threatsAreFound() {
    assertTrue(threats().count() > 10);
  }
}
