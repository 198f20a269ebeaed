package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One server at a time has a data directory: the lock that each start script takes first. */
@SuppressWarnings("NullAway.Init")
class DataLockTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final Path LOCK = CONFIG.resolve("bin/data-lock.sh").toAbsolutePath();
  private static final int IN_USE = 75;

  @TempDir private Path directory;

  private Process holder;

  @AfterEach
  void end() {
    if (holder != null) {
      holder.destroyForcibly();
    }
  }

  /** Takes the lock, and becomes a process that reads its input to the end, as a server might. */
  private Process start(Path data) throws IOException {
    String script = ". '%s'; lock_data '%s'; echo locked; exec cat".formatted(LOCK, data);
    return new ProcessBuilder("sh", "-c", script).start();
  }

  private void hold(Path data) throws IOException {
    holder = start(data);
    assertEquals("locked", holder.inputReader(UTF_8).readLine());
  }

  private static String complaint(Process process, int code) throws Exception {
    assertTrue(process.waitFor(1, TimeUnit.MINUTES), "it did not end");
    assertEquals(code, process.exitValue());
    return new String(process.getErrorStream().readAllBytes(), UTF_8);
  }

  private static void assertFree(Process process) throws Exception {
    process.getOutputStream().close();
    assertEquals("", complaint(process, 0));
  }

  @Test
  void aSecondServerIsRefusedByWhicheverPathItComes() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), data);
    hold(data);
    Process second = start(data);
    Process third = start(link);
    Process elsewhere = start(directory.resolve("other"));
    assertFree(elsewhere);
    assertEquals(
        "sh: another server uses the data directory %s; fuser -v %s/server.lock names it\n"
            .formatted(data, data),
        complaint(second, IN_USE));
    assertTrue(complaint(third, IN_USE).contains("data directory " + link));
    assertTrue(holder.isAlive());
  }

  @Test
  void theLockEndsWithItsProcess() throws Exception {
    hold(directory);
    holder.destroyForcibly().waitFor();
    assertFree(start(directory));
  }

  /** The start script locks, and so does the server's own, which it becomes. */
  @Test
  void whoHasTheLockMayTakeItAgain() throws Exception {
    String again =
        ". '%s'; lock_data '%s'; exec sh -c \". '%s'; lock_data '%s'; exec cat\""
            .formatted(LOCK, directory, LOCK, directory);
    assertFree(new ProcessBuilder("sh", "-c", again).start());
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsSaid() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertEquals(
        "sh: the data directory %s/data cannot be written\n".formatted(file),
        complaint(start(file.resolve("data")), 1));
  }

  /** As on a file system without locks: no other server is to blame. */
  @Test
  void aFileSystemThatCannotLockIsSaid() throws Exception {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    Path flock = Files.writeString(tools.resolve("flock"), "#!/bin/sh\nexit 71\n");
    assertTrue(flock.toFile().setExecutable(true));
    String script = "PATH=%s:$PATH; . '%s'; lock_data '%s'".formatted(tools, LOCK, directory);
    assertEquals(
        "sh: the file system of %s cannot lock %s/server.lock\n".formatted(directory, directory),
        complaint(new ProcessBuilder("sh", "-c", script).start(), 1));
  }

  /** Runs a command with the lock, started with the umask of most systems. */
  private Process withTheLock(Path data, String path, String command) throws IOException {
    String script =
        "umask 022; PATH=%s$PATH; . '%s'; lock_data '%s'; %s".formatted(path, LOCK, data, command);
    return new ProcessBuilder("sh", "-c", script).start();
  }

  private static void assertClosed(Path path) throws IOException {
    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    assertTrue(mode.endsWith("------"), path + " has " + mode);
  }

  @Test
  void aNewDirectoryAndAllThatAServerWritesAreItsUsersAlone() throws Exception {
    Path data = directory.resolve("data");
    String command = "mkdir '%s/journal'; echo x > '%s/journal/file'".formatted(data, data);
    assertEquals("", complaint(withTheLock(data, "", command), 0));
    for (String name : List.of(".", "server.lock", "journal", "journal/file")) {
      assertClosed(data.resolve(name));
    }
  }

  @Test
  void aDirectoryThatOthersCouldEnterIsClosedAndItIsSaid() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals(
        "sh: other users could enter %s; its mode is 0700 now\n".formatted(data),
        complaint(withTheLock(data, "", ":"), 0));
    assertClosed(data);
    assertEquals("", complaint(withTheLock(data, "", ":"), 0));
  }

  /** As a volume that is mounted, or a directory that many share. */
  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--, 1", "rw-rw----, 0"})
  void aDirectoryThatCannotBeClosedIsRefusedWhileEveryUserReadsWhatIsInIt(String row)
      throws Exception {
    String mode = row.substring(0, row.indexOf(','));
    int code = Integer.parseInt(row.substring(row.indexOf(' ') + 1));
    Path tools = Files.createDirectory(directory.resolve("tools"));
    Path chmod = Files.writeString(tools.resolve("chmod"), "#!/bin/sh\nexit 1\n");
    assertTrue(chmod.toFile().setExecutable(true));
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = Files.createFile(data.resolve("file"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    String expected =
        code == 0 ? "" : "sh: every user can read %s: chmod -R o= %s\n".formatted(file, data);
    assertEquals(expected, complaint(withTheLock(data, tools + ":", ":"), code));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bin/mailbox",
        "bin/mailbox-try",
        "liberty/bin/mailbox",
        "wildfly/standalone.conf"
      })
  void nothingIsWrittenBeforeTheLock(String script) throws IOException {
    String text = Files.readString(CONFIG.resolve(script));
    int locked = text.indexOf("\nlock_data ");
    assertTrue(locked > 0, script);
    String before = text.substring(0, locked);
    assertEquals(
        script.equals("bin/mailbox-try") ? 1 : 0, before.split("\nmkdir ", -1).length - 1, script);
    assertTrue(!before.contains(" > \"") && !before.contains("rm -rf"), script);
  }
}
