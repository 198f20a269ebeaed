package org.svcmailbox.it.drill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A method that is renamed would be found missing only by a running drill. */
class KillingTest {
  /** Modules are in it, and one level below. */
  private static final Path ROOT = Path.of("..", "..");

  static List<Killing> all() {
    return Stream.concat(Killing.ALL.stream(), Stream.of(Killing.worker(0))).toList();
  }

  @ParameterizedTest
  @MethodSource("all")
  void theMethodIsInTheSources(Killing killing) throws IOException {
    List<String> sources = sources(killing.type());
    assertEquals(1, sources.size(), killing.type());
    assertTrue(has(sources.get(0), killing.method()), killing::toString);
  }

  @Test
  void aMethodIsFoundByItsDeclaration() {
    assertTrue(has("class A {\n  private void go(int a) {\n  }\n}", "go"));
    assertTrue(!has("class A {\n  void run() {\n    b.go(1);\n    go(2);\n  }\n}", "go"));
  }

  private static boolean has(String source, String method) {
    return Pattern.compile("(?m)^  [\\w<@][^=;\\n]* " + method + "\\(").matcher(source).find();
  }

  private static List<String> sources(String type) throws IOException {
    String file = "src/main/java/" + type.replace('.', '/') + ".java";
    try (Stream<Path> modules = Files.walk(ROOT, 2)) {
      return modules
          .map(module -> module.resolve(file))
          .filter(Files::exists)
          .map(KillingTest::read)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
