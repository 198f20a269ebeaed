package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of locks names each class that locks, and no other. */
class LockTableTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

  private static final Pattern LOCK =
      Pattern.compile(
          "\\bsynchronized\\b|\\bSemaphore\\b|@Lock\\b"
              + "|\\bjava\\.util\\.concurrent\\.locks\\.(?!LockSupport\\b)");

  /** A class in the column that says which lock it is. */
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+)[`.]");

  /** Locks of a database: no word in the sources tells them apart. */
  private static final Set<String> OTHER_LOCKS = Set.of("AuditEntity");

  /** Sources that are no part of the service. */
  private static final Set<String> ELSEWHERE =
      Set.of("bench", "client-module", "examples", "outbox", "test-support", "target");

  @Test
  void theTableHasEveryLockAndNoOther() throws IOException {
    Set<String> locking = new TreeSet<>(OTHER_LOCKS);
    // Not below target: another module may be built, and its files come and go.
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) {
            return ELSEWHERE.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused)
              throws IOException {
            if (isOurs(file) && locks(Files.readString(file, UTF_8))) {
              locking.add(file.getFileName().toString().replace(".java", ""));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertTrue(locking.size() > 20, () -> "no sources below " + ROOT.toAbsolutePath());
    assertEquals(locking, named());
  }

  private static Set<String> named() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/CONCURRENCY.md"), UTF_8);
    return page.substring(page.indexOf("## Locks"), page.indexOf("## Do not fix"))
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| lock |"))
        .flatMap(line -> NAMED.matcher(line.split("\\|", 3)[1]).results())
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aLockIsFoundWhereItIsTakenAndNotWhereItIsWrittenAbout() {
    assertTrue(locks("class A { synchronized void go() {} }"));
    assertTrue(locks("class A { void go() { synchronized (this) {} } }"));
    assertTrue(locks("import java.util.concurrent.locks.ReentrantLock; class A {}"));
    assertTrue(locks("class A { private final Semaphore permits = new Semaphore(1); }"));
    assertTrue(locks("@Lock(LockType.READ) class A {}"));
    assertFalse(locks("/** Not synchronized. */ class A { // no Semaphore\n }"));
    assertFalse(locks("import java.util.concurrent.locks.LockSupport; class A {}"));
  }

  private static boolean isOurs(Path file) {
    return file.toString().endsWith(".java")
        && Stream.of("src", "main").allMatch(part -> has(file, part));
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
    return LOCK.matcher(COMMENT.matcher(source).replaceAll("")).find();
  }
}
