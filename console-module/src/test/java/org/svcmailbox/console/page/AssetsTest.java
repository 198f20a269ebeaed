package org.svcmailbox.console.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Paths that browsers keep for good. */
class AssetsTest {
  private static final Path WEBAPP = Path.of("src/main/webapp");
  private static final Pattern ROOT = Pattern.compile("v/[0-9a-f]{16}/");
  private static final Pattern PRELOAD =
      Pattern.compile("<link rel=\"modulepreload\" href=\"v/[0-9a-f]{16}(/app/[^\"]+)\">");
  private static final Pattern IMPORT = Pattern.compile("(?s)(?:from|^import) '(\\.[^']+)'");

  private static Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    try (Stream<Path> found = Files.walk(WEBAPP)) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        files.put("/" + WEBAPP.relativize(file), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static String index(Map<String, byte[]> files) {
    return new String(Assets.of(files).files().get("/index.html"), StandardCharsets.UTF_8);
  }

  private static String root(String index) {
    return ROOT.matcher(index)
        .results()
        .map(MatchResult::group)
        .distinct()
        .collect(Collectors.joining());
  }

  @Test
  void thePageNamesFilesThatAreKeptForGood() throws IOException {
    Map<String, byte[]> files = files();
    String index = index(files);
    assertFalse(Pattern.compile("\"(?:app|css)/").matcher(index).find(), index);
    Assets assets = Assets.of(files);
    String script = "/" + root(index) + "app/main.js";
    assertArrayEquals(files.get("/app/main.js"), assets.files().get(script));
    assertTrue(assets.isForGood(script));
    for (String path : Set.of("/index.html", "/app/main.js", "/v/0123456789abcdef/app/main.js")) {
      assertFalse(assets.isForGood(path), path);
    }
  }

  /** A file that is not preloaded waits for the one that imports it; one too many loads in vain. */
  @Test
  void everyModuleThatMainReachesIsPreloadedAndNoOther() throws IOException {
    Map<String, byte[]> files = files();
    Set<String> preloaded =
        PRELOAD
            .matcher(index(files))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> reached = new TreeSet<>();
    reach("/app/main.js", files, reached);
    assertEquals(reached, preloaded);
  }

  private static void reach(String path, Map<String, byte[]> files, Set<String> reached) {
    if (reached.add(path)) {
      String text = new String(files.get(path), StandardCharsets.UTF_8);
      IMPORT
          .matcher(text)
          .results()
          .map(match -> Path.of(path).resolveSibling(match.group(1)).normalize().toString())
          .forEach(next -> reach(next, files, reached));
    }
  }

  @Test
  void eachChangeGivesOtherPaths() throws IOException {
    Map<String, byte[]> files = files();
    String before = root(index(files));
    assertEquals(before, root(index(files())));
    Map<String, byte[]> changed = new HashMap<>(files);
    changed.merge("/app/dom.js", new byte[] {'\n'}, AssetsTest::joined);
    assertNotEquals(before, root(index(changed)));
    Map<String, byte[]> renamed = new HashMap<>(files);
    renamed.put("/app/dom2.js", renamed.remove("/app/dom.js"));
    assertNotEquals(before, root(index(renamed)));
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
