package org.svcmailbox.console.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NullAway.Init")
class PasswordFileTest {
  @TempDir private Path directory;

  private static void nothing() {}

  private Path path() {
    return directory.resolve("users");
  }

  private PasswordFile file(String text) throws IOException {
    Files.writeString(path(), text);
    return new PasswordFile(path());
  }

  /** {@code /} ends a line. */
  @ParameterizedTest
  @CsvSource({
    "ann=1, true, ann=2",
    "ann=1/, true, ann=2/",
    "#ann=1/ann=1/bob=1/, true, #ann=1/bob=1/ann=2/",
    "ann=7/bob=3/ann=1/, true, bob=3/ann=2/",
    "ann=1/ann=7/, false, ''",
    "ann= 1 /, true, ann=2/",
    "ann=3/, false, ''",
    "annie=1/, false, ''",
    "#ann=1/, false, ''",
    "'', false, ''"
  })
  void onlyTheUsersOwnLineIsReplaced(String before, boolean isReplaced, String after)
      throws IOException {
    String text = before.replace('/', '\n');
    assertEquals(isReplaced, file(text).replace("ann", "1", "2", PasswordFileTest::nothing));
    String expected = isReplaced ? after.replace('/', '\n').stripTrailing() + "\n" : text;
    assertEquals(expected, Files.readString(path()));
    assertOnlyTheFileIsLeft();
  }

  private void assertOnlyTheFileIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(path()), files.toList());
    }
  }

  @Test
  void theHexadecimalDigitsOfAnyCaseAreTheSame() throws IOException {
    assertTrue(file("ann=AB\n").replace("ann", "ab", "cd", PasswordFileTest::nothing));
  }

  @Test
  void aUserIsOneWithALine() throws IOException {
    PasswordFile file = file("#bob=1\nann=1\n");
    assertTrue(file.has("ann"));
    assertFalse(file.has("bob"));
    assertFalse(file.has("an"));
    Files.delete(path());
    assertFalse(file.has("ann"));
  }

  @Test
  void theNewFileIsItsOwnersAloneAndNewerThanAnyReadingOfTheOldOne() throws IOException {
    PasswordFile file = file("ann=1\n");
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rw-rw-r--"));
    assertTrue(file.replace("ann", "1", "2", PasswordFileTest::nothing));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
    assertTrue(Files.getLastModifiedTime(path()).compareTo(FileTime.from(Instant.now())) > 0);
  }

  @Test
  void aFileBehindALinkIsReplacedAndTheLinkStays() throws IOException {
    Path link = directory.resolve("link");
    file("ann=1\n");
    Files.createSymbolicLink(link, path());
    assertTrue(new PasswordFile(link).replace("ann", "1", "2", PasswordFileTest::nothing));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("ann=2\n", Files.readString(path()));
  }

  @Test
  void aChangeThatIsPreventedLeavesNothingBehind() throws IOException {
    PasswordFile file = file("ann=1\n");
    Runnable away =
        () -> {
          throw new IllegalStateException("the database is away");
        };
    assertThrows(IllegalStateException.class, () -> file.replace("ann", "1", "2", away));
    assertEquals("ann=1\n", Files.readString(path()));
    assertOnlyTheFileIsLeft();
  }

  @Test
  void anotherChangesFileIsLeftAlone() throws IOException {
    PasswordFile file = file("ann=1\n");
    Path other = Files.writeString(directory.resolve("users.new"), "ann=3\n");
    assertThrows(
        FileAlreadyExistsException.class,
        () -> file.replace("ann", "1", "2", PasswordFileTest::nothing));
    assertEquals("ann=3\n", Files.readString(other));
    assertEquals("ann=1\n", Files.readString(path()));
  }

  @Test
  void ofTwoChangesAtOnceTheSecondIsRefused() throws IOException {
    PasswordFile file = file("ann=1\n");
    Runnable second =
        () ->
            assertThrows(
                FileAlreadyExistsException.class,
                () -> file.replace("ann", "1", "3", PasswordFileTest::nothing));
    assertTrue(file.replace("ann", "1", "2", second));
    assertEquals("ann=2\n", Files.readString(path()));
  }

  @Test
  void noChangeOfManyWritersIsLost() throws Exception {
    List<String> users = IntStream.range(0, 8).mapToObj(i -> "user" + i).toList();
    PasswordFile file = file(String.join("=0\n", users) + "=0\n");
    ExecutorService threads = Executors.newFixedThreadPool(users.size());
    try {
      var done = users.stream().map(user -> threads.submit(() -> countUp(file, user))).toList();
      for (var one : done) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    List<String> expected = users.stream().map(user -> user + "=20").toList();
    assertEquals(expected, Files.readAllLines(path()).stream().sorted().toList());
    assertOnlyTheFileIsLeft();
  }

  private static int countUp(PasswordFile file, String user) throws IOException {
    int count = 0;
    while (count < 20) {
      try {
        assertTrue(file.replace(user, "" + count, "" + (count + 1), PasswordFileTest::nothing));
        count++;
      } catch (FileAlreadyExistsException e) {
        Thread.onSpinWait();
      }
    }
    return count;
  }
}
