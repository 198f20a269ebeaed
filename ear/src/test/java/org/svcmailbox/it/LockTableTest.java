package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every class that locks anything stands in the table of locks, and is said to be in order there.
 */
class LockTableTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
  private static final Pattern LOCK =
      Pattern.compile("\\b(synchronized|Semaphore|\\w*Lock|LockSupport)\\b");
  private static final Set<String> NO_LOCKS = Set.of("LockSupport");

  /** What is no part of the service. */
  private static final Set<String> ELSEWHERE = Set.of("bench", "test-support", "target");

  @Test
  void everyLockIsInTheTable() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/CONCURRENCY.md"), UTF_8);
    String table = page.substring(page.indexOf("## Locks"), page.indexOf("## Do not fix"));
    Set<String> missing = new TreeSet<>();
    int found = 0;
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(LockTableTest::isOurs).toList()) {
        if (locks(Files.readString(file, UTF_8))) {
          found++;
          String name = file.getFileName().toString().replace(".java", "");
          if (!table.contains("`" + name + "`") && !table.contains("`" + name + ".")) {
            missing.add(name);
          }
        }
      }
    }
    assertTrue(found > 20, () -> "no sources below " + ROOT.toAbsolutePath());
    assertEquals(Set.of(), missing);
  }

  @Test
  void aLockIsFoundWhereItIsTakenAndNotWhereItIsWrittenAbout() {
    assertTrue(locks("class A { synchronized void go() {} }"));
    assertTrue(locks("class A { void go() { synchronized (this) {} } }"));
    assertTrue(locks("class A { private final Lock lock = new ReentrantLock(); }"));
    assertTrue(locks("class A { private final Semaphore permits = new Semaphore(1); }"));
    assertFalse(locks("/** Not synchronized. */ class A { // no Semaphore\n }"));
    assertFalse(locks("class A { void go() { LockSupport.parkNanos(1); } }"));
  }

  private static boolean isOurs(Path file) {
    return file.toString().endsWith(".java")
        && Stream.of("src", "main").allMatch(part -> has(file, part))
        && ELSEWHERE.stream().noneMatch(part -> has(file, part));
  }

  private static boolean has(Path file, String part) {
    for (Path name : file) {
      if (name.toString().equals(part)) {
        return true;
      }
    }
    return false;
  }

  private static boolean locks(String source) {
    return LOCK.matcher(COMMENT.matcher(source).replaceAll(""))
        .results()
        .map(result -> result.group())
        .anyMatch(word -> !NO_LOCKS.contains(word));
  }
}
