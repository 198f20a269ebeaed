package org.svcmailbox.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walks that a document shows lead from class to class. */
class WalksTest {
  /** The most classes that a reader meets on one walk. */
  private static final int MOST = 45;

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..").normalize();
  private static final List<String> MODULES = List.of("core-module", "web-module", "ejb-module");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
  private static final Pattern WALK = Pattern.compile("(?s)\n## (\\w+)\n(.*?)(?=\n## |\\z)");
  private static final Pattern CHAIN = Pattern.compile("`[A-Z]\\w+`(?:\\s+→\\s+`[A-Z]\\w+`)+");
  private static final Pattern NAME = Pattern.compile("[A-Z]\\w+");

  private final Map<String, String> walks;
  private final Map<String, List<String>> sources;

  WalksTest() throws IOException {
    walks =
        WALK.matcher(Files.readString(ROOT.resolve("docs/WALKS.md")))
            .results()
            .collect(Collectors.toMap(walk -> walk.group(1), walk -> walk.group(2)));
    sources = sources();
  }

  private static Map<String, List<String>> sources() throws IOException {
    Map<String, List<String>> found = new HashMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          String name = String.valueOf(file.getFileName()).replace(".java", "");
          String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
          found.computeIfAbsent(name, none -> new ArrayList<>()).add(code);
        }
      }
    }
    return found;
  }

  private static List<List<String>> chains(String walk) {
    return CHAIN.matcher(walk).results().map(chain -> names(chain.group())).toList();
  }

  private static List<String> names(String text) {
    return NAME.matcher(text).results().map(MatchResult::group).toList();
  }

  /** Whether one of the classes refers to the other, or to a port that the other implements. */
  private boolean isLinked(String from, String to) {
    return refers(from, to)
        || refers(to, from)
        || ports(to).stream().anyMatch(port -> refers(from, port));
  }

  private boolean refers(String from, String to) {
    Pattern name = Pattern.compile("\\b" + to + "\\b");
    return sources.getOrDefault(from, List.of()).stream()
        .anyMatch(code -> name.matcher(code).find());
  }

  private Set<String> ports(String type) {
    Pattern head = Pattern.compile("\\b" + type + "\\b[^;{}]*? implements ([^{]*)\\{");
    Set<String> ports = new TreeSet<>();
    for (String code : sources.getOrDefault(type, List.of())) {
      Matcher found = head.matcher(code);
      if (found.find()) {
        ports.addAll(names(found.group(1)));
      }
    }
    return ports;
  }

  @Test
  void eachClassLeadsToTheNext() {
    List<String> broken = new ArrayList<>();
    int hops = 0;
    for (String walk : walks.values()) {
      for (List<String> chain : chains(walk)) {
        for (int i = 1; i < chain.size(); i++) {
          hops++;
          if (!isLinked(chain.get(i - 1), chain.get(i))) {
            broken.add(chain.get(i - 1) + " → " + chain.get(i));
          }
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(hops > 60, hops + " hops");
  }

  @Test
  void noWalkIsLongerThanAReaderFollows() {
    assertEquals(Set.of("SEND", "RECV", "Redrive"), walks.keySet());
    walks.forEach(
        (name, walk) -> {
          Set<String> met = new TreeSet<>();
          chains(walk).forEach(met::addAll);
          assertTrue(met.size() <= MOST, name + " has " + met.size());
        });
  }
}
