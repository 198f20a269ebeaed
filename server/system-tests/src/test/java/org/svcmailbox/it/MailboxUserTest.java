package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mailbox-user} replaces the files of users as a whole, one change at a time. */
@SuppressWarnings("NullAway.Init")
class MailboxUserTest {
  private static final String SCRIPT = Path.of("..", "config", "bin", "mailbox-user").toString();

  private static final String PASSWORD = "correct horse battery";

  /** Of {@code ann:mailbox-console:correct horse battery}, by md5sum. */
  private static final String LINE = "ann=c5fb633c23a957ae0ed2683f0c7b44de";

  @TempDir private Path data;
  private Path users;

  @BeforeEach
  void layOut() throws IOException {
    Path directory = Files.createDirectory(data.resolve("mailbox"));
    users = directory.resolve("console-users.properties");
  }

  private Process start(String user, String role) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT, user, role);
    builder.environment().put("MAILBOX_DATA_DIR", data.toString());
    Process process = builder.redirectErrorStream(true).start();
    try (var input = process.getOutputStream()) {
      input.write((PASSWORD + "\n").getBytes(UTF_8));
    }
    return process;
  }

  private static String end(Process process, int code) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(code, process.waitFor(), said);
    return said;
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(users.getParent())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theNewFileIsItsOwnersAloneAndNewerThanAnyReadingOfTheOldOne() throws Exception {
    Files.writeString(users, "bob=1\nann=2\n");
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals("", end(start("ann", "viewer"), 0));
    assertEquals(List.of("bob=1", LINE), Files.readAllLines(users));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(users)));
    assertTrue(Files.getLastModifiedTime(users).compareTo(FileTime.from(Instant.now())) > 0);
    assertEquals(List.of("console-roles.properties", "console-users.properties"), left());
  }

  @Test
  void noChangeOfManyAtOnceIsLost() throws Exception {
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(start("user" + i, "viewer"));
    }
    for (Process one : all) {
      end(one, 0);
    }
    List<String> names =
        Files.readAllLines(users).stream().map(line -> line.split("=", 2)[0]).sorted().toList();
    assertEquals(IntStream.range(0, 4).mapToObj(i -> "user" + i).toList(), names);
  }

  @Test
  void aChangeThatWasKilledIsNamed() throws Exception {
    Files.writeString(users, "ann=2\n");
    Path killed = Files.createFile(users.resolveSibling("console-users.properties.new"));
    String said = end(start("ann", "viewer"), 1);
    assertTrue(said.contains("if none runs, remove " + killed.toRealPath()), said);
    assertEquals(List.of("ann=2"), Files.readAllLines(users));
    assertTrue(Files.exists(killed));
  }

  @Test
  void theFileOfTheFirstPasswordIsDeletedWithIt() throws Exception {
    Path first = users.resolveSibling("console.password");
    for (String name : List.of("admin", "operator")) {
      Files.writeString(first, "the first password");
      Files.writeString(users, name + "=" + hash(name, "the first password") + "\n");
      end(start("ann", "viewer"), 0);
      assertTrue(Files.exists(first), "of another user");
      end(start(name, "administrator"), 0);
      assertFalse(Files.exists(first), name);
      Files.writeString(first, "the first password");
      end(start(name, "operator"), 0);
      assertTrue(Files.exists(first), "not the user's any more");
    }
  }

  @Test
  void anUnknownRoleIsRefused() throws Exception {
    String said = end(start("ann", "admin"), 1);
    assertTrue(said.contains("a role is viewer, operator, administrator or none"), said);
  }

  private static String hash(String user, String password) throws Exception {
    byte[] text = (user + ":mailbox-console:" + password).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
  }
}
