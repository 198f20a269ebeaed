package org.svcmailbox.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources and documents say what they mean: nothing here explains a requirement's number. */
class RequirementIdsTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..").normalize();

  /** A letter, a hyphen and a number; or the number of a decision. */
  private static final Pattern ID =
      Pattern.compile("(?<![\\w%-])(?:[CGIP]-\\d{1,2}|D\\d{1,2}|SDS-\\d{3})(?![\\w-])");

  private static final Pattern READ =
      Pattern.compile(".*\\.(?:java|md|sql|yaml|yml|cli|xml|js|mjs|conf|properties|txt)");

  /** Built, fetched, or the tools' own. */
  private static final Set<String> PASSED_BY = Set.of("target", "node_modules", ".git");

  /** Flyway compares what it has run before with what is there, comments included. */
  private static final Path MIGRATIONS = ROOT.resolve("ejb-module/src/main/resources/db/migration");

  private static final Path THIS =
      ROOT.resolve("core-module/src/test/java/org/svcmailbox/core/RequirementIdsTest.java");

  private static final class Finder extends SimpleFileVisitor<Path> {
    private final List<String> found = new ArrayList<>();

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      boolean isPassedBy =
          PASSED_BY.contains(String.valueOf(directory.getFileName()))
              || directory.equals(MIGRATIONS);
      return isPassedBy ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (READ.matcher(file.toString()).matches() && !file.equals(THIS)) {
        lines(file).forEach(found::add);
      }
      return FileVisitResult.CONTINUE;
    }

    private static Stream<String> lines(Path file) throws IOException {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      return IntStream.range(0, lines.size())
          .filter(i -> ID.matcher(lines.get(i)).find())
          .mapToObj(i -> ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
    }
  }

  @Test
  void nothingRefersToARequirementByItsNumber() throws IOException {
    Finder finder = new Finder();
    Files.walkFileTree(ROOT, finder);
    assertEquals(List.of(), finder.found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(D4)", "as C-4 says", "I-17.", "(C-4, P-7)", "SDS-047", "(G-10)"})
  void aNumberIsFound(String line) {
    assertTrue(ID.matcher(line).find());
  }

  @ParameterizedTest
  @ValueSource(strings = {"P-256", "%C3%D4", "ADR 4", "G1", "UTF-8", "MD5", "I/O", "C2"})
  void anythingElseIsNot(String line) {
    assertFalse(ID.matcher(line).find());
  }
}
