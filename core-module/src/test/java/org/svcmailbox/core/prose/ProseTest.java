package org.svcmailbox.core.prose;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents and Java comments obey the rules of {@link Sentence}. */
class ProseTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

  private static final Set<String> SKIPPED = Set.of("target", "node_modules");

  private static List<String> violations = List.of();

  private static final String PLANTED_JAVA =
      """
      /** What the class does. */
      class Planted {
        // Reads everything anew.
        String text = "// Whoever reads this reads no comment.";
      }
      """;

  private static final String PLANTED_DOCUMENT =
      """
      # Whoever reads a heading

      | Whatever | is in a table |

          Whoever indents, writes code

      * **Who comes late** waits.
        A `list of words that are at hand` is code.
      """;

  private static List<String> violations(String path, String text) {
    List<Sentence> sentences =
        path.endsWith(".md")
            ? MarkdownProse.sentences(path, text)
            : JavaProse.sentences(path, text);
    return sentences.stream().flatMap(ProseTest::violation).toList();
  }

  private static Stream<String> violation(Sentence sentence) {
    return sentence.violation().stream()
        .map(
            rule -> sentence.path() + ":" + sentence.line() + ": " + rule + ": " + sentence.text());
  }

  private static List<String> allViolations() throws IOException {
    List<String> found = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean isSkipped = SKIPPED.contains(name) || name.startsWith(".");
            return isSkipped && !directory.equals(ROOT)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = ROOT.relativize(file).toString().replace('\\', '/');
            if (path.endsWith(".md") || path.endsWith(".java")) {
              found.addAll(violations(path, read(file)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeAll
  static void readAll() throws IOException {
    violations = List.copyOf(allViolations());
  }

  @Test
  void noFileBreaksARule() {
    assertTrue(violations.isEmpty(), () -> String.join("\n", violations));
  }

  @Test
  void plantedCommentsAreFoundAndStringsAreNot() {
    assertEquals(
        List.of(
            "Planted.java:1: opening: What the class does.",
            "Planted.java:3: word 'anew': Reads everything anew."),
        violations("Planted.java", PLANTED_JAVA));
  }

  @Test
  void plantedListItemIsFoundAndTablesHeadingsAndCodeAreNot() {
    assertEquals(
        List.of("planted.md:7: opening: Who comes late waits."),
        violations("planted.md", PLANTED_DOCUMENT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"// ", " * ", ""})
  void sentencesAreCountedAcrossLines(String mark) {
    String half = "word ".repeat(Sentence.MAX_WORDS / 2).strip();
    String text = mark + half + "\n" + mark + half;
    boolean isComment = !mark.isBlank();
    String path = isComment ? "Planted.java" : "planted.md";
    String opened = mark.equals(" * ") ? "/**\n" : "";
    String closed = mark.equals(" * ") ? "\n */" : "";
    assertEquals(List.of(), violations(path, opened + text + "." + closed));
    assertEquals(1, violations(path, opened + text + " more." + closed).size());
  }

  @ParameterizedTest
  @CsvSource({
    "Those fail., opening",
    "Nobody waits., opening",
    "Of those one fails., opening",
    "A job is over by and by., word 'by and by'",
    "One has it and the other has not., word 'has not'"
  })
  void eachRuleIsNamed(String text, String rule) {
    assertEquals(rule, new Sentence("planted.md", 1, text).violation().orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(strings = {"What is left?", "Whole batches wait.", "A latecomer has not answered."})
  void harmlessSentencesPass(String text) {
    assertTrue(new Sentence("planted.md", 1, text).violation().isEmpty());
  }
}
