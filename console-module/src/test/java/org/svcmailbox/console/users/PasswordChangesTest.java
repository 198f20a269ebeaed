package org.svcmailbox.console.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.console.users.PasswordChanges.Outcome;

@SuppressWarnings("NullAway.Init")
class PasswordChangesTest {
  /** Of {@code ann:mailbox-console:a good password}, by md5sum. */
  private static final String LINE = "ann=e0ad98ada4b511a40ffd4a81aef5f0f9\n";

  private static final String OLD = "a good password";
  private static final String NEXT = "a better password";

  @TempDir private Path directory;
  private FileUsers files;
  private PasswordChanges changes;

  @BeforeEach
  void addAnn() throws IOException {
    Files.writeString(directory.resolve("console-users.properties"), LINE);
    Files.writeString(directory.resolve("console-roles.properties"), "ann=viewer\n");
    files = new FileUsers(directory);
    changes = new PasswordChanges(Optional.of(files));
  }

  private Outcome change(String user, String old) {
    return changes.change(user, old, NEXT, () -> {});
  }

  @Test
  void theNewPasswordReplacesTheOldOne() {
    assertEquals(Outcome.CHANGED, change("ann", OLD));
    assertEquals(Set.of("viewer"), files.roles("ann", NEXT.toCharArray()));
    assertNull(files.roles("ann", OLD.toCharArray()));
  }

  @Test
  void aPasswordThatTheFilesDoNotHaveIsNotChanged() {
    assertEquals(Outcome.ELSEWHERE, change("ann", "of another realm"));
    assertEquals(Outcome.ELSEWHERE, change("bob", OLD));
    assertEquals(Set.of("viewer"), files.roles("ann", OLD.toCharArray()));
  }

  @Test
  void aChangeIsOfferedToUsersOfTheFilesOnly() {
    assertTrue(changes.isOffered("ann"));
    assertFalse(changes.isOffered("bob"));
    PasswordChanges none = new PasswordChanges(Optional.empty());
    assertFalse(none.isOffered("ann"));
    assertEquals(Outcome.ELSEWHERE, none.change("ann", OLD, NEXT, () -> {}));
  }

  @Test
  void anotherChangeIsNamed() throws IOException {
    Files.createFile(directory.resolve("console-users.properties.new"));
    assertEquals(Outcome.BUSY, change("ann", OLD));
  }

  /** A file that is mounted alone cannot be replaced either; root may write any directory. */
  @Test
  void aFileThatCannotBeReplacedIsNamed() throws IOException {
    Path file = directory.resolve("console-users.properties");
    Files.delete(file);
    assertEquals(Outcome.READ_ONLY, change("ann", OLD));
  }

  @Test
  void theFileOfTheFirstPasswordIsDeletedWithIt() throws IOException {
    Path first = directory.resolve("console.password");
    Files.writeString(first, "of somebody else\n");
    assertEquals(Outcome.CHANGED, change("ann", OLD));
    assertTrue(Files.exists(first));
    Files.writeString(first, NEXT + "\n");
    assertEquals(Outcome.CHANGED, changes.change("ann", NEXT, OLD, () -> {}));
    assertFalse(Files.exists(first));
  }
}
