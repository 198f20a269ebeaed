package org.svcmailbox.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents link to files and headings that are there. */
class LinksTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..").normalize();
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");

  /** A file of the project, a heading of one, or both. */
  private static final Pattern LINK =
      Pattern.compile("]\\((?![a-z]+:)([^)#\\s]*)(?:#([^)\\s]*))?\\)");

  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
  private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N}_\\- ]");

  static Stream<Path> documents() throws IOException {
    try (Stream<Path> root = Files.list(ROOT)) {
      List<Path> beside = root.filter(LinksTest::isDocument).toList();
      return Stream.concat(NamedTestsTest.documents(), beside.stream());
    }
  }

  private static boolean isDocument(Path path) {
    return path.toString().endsWith(".md");
  }

  private static Stream<MatchResult> matches(Pattern pattern, Path document) throws IOException {
    String prose = CODE.matcher(Files.readString(document)).replaceAll("");
    return pattern.matcher(prose).results().toList().stream();
  }

  /** As GitHub makes them. */
  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new TreeSet<>();
    matches(HEADING, document).forEach(heading -> anchors.add(anchor(heading.group(1))));
    return anchors;
  }

  private static String anchor(String heading) {
    String text = heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
    return NOT_IN_ANCHORS.matcher(text).replaceAll("").strip().replace(' ', '-');
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyLinkLeadsSomewhere(Path document) throws IOException {
    Set<String> broken = new TreeSet<>();
    for (MatchResult link : matches(LINK, document).toList()) {
      Path target = document.resolveSibling(link.group(1)).normalize();
      Path file = link.group(1).isEmpty() ? document : target;
      String heading = link.group(2);
      boolean leads =
          Files.exists(file)
              && (heading == null || !isDocument(file) || anchors(file).contains(heading));
      if (!leads) {
        broken.add(link.group());
      }
    }
    assertEquals(Set.of(), broken);
  }

  /** The contents of a long document are those of its chapters. */
  @Test
  void operationsBeginWithTheirContents() throws IOException {
    Path document = ROOT.resolve("docs/OPERATIONS.md");
    String contents = Files.readString(document).split("(?m)^## ", 2)[0];
    List<String> chapters =
        Pattern.compile("(?m)^## (.*)$")
            .matcher(Files.readString(document))
            .results()
            .map(chapter -> anchor(chapter.group(1)))
            .toList();
    assertTrue(chapters.size() > 10, chapters::toString);
    for (String chapter : chapters) {
      assertTrue(contents.contains("(#" + chapter + ")"), chapter);
    }
  }
}
