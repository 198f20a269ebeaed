package org.svcmailbox.console.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileUsersTest {
  /** Of {@code ann:mailbox-console:a good password}, by md5sum. */
  private static final String HASH = "e0ad98ada4b511a40ffd4a81aef5f0f9";

  @TempDir private Path directory;

  private void write(String users, String roles) throws IOException {
    Files.writeString(directory.resolve("console-users.properties"), users);
    Files.writeString(directory.resolve("console-roles.properties"), roles);
  }

  private @Nullable Set<String> roles(String user, String password) {
    return new FileUsers(directory).roles(user, password.toCharArray());
  }

  @Test
  void aUserHasTheRolesOfTheFile() throws IOException {
    write("# users\nann=" + HASH + "\n", "ann=viewer, operator\n");
    assertEquals(Set.of("viewer", "operator"), roles("ann", "a good password"));
  }

  @Test
  void aUserWithoutARoleHasNone() throws IOException {
    write("ann=" + HASH + "\n", "");
    assertEquals(Set.of(), roles("ann", "a good password"));
  }

  @Test
  void anotherPasswordAndAnotherUserAreRefused() throws IOException {
    write("ann=" + HASH + "\nbob=\n", "ann=viewer\nbob=viewer\n");
    assertNull(roles("ann", "a good passwore"));
    assertNull(roles("ann", ""));
    assertNull(roles("bob", ""));
    assertNull(roles("eve", "a good password"));
  }

  @Test
  void aChangeCountsAtTheNextSignIn() throws IOException {
    write("", "");
    assertNull(roles("ann", "a good password"));
    write("ann=" + HASH + "\n", "ann=viewer\n");
    assertEquals(Set.of("viewer"), roles("ann", "a good password"));
  }

  @Test
  void missingAndMalformedFilesRefuseEverybody() throws IOException {
    assertNull(roles("ann", "a good password"));
    write("ann=\\u12\n", "");
    assertNull(roles("ann", "a good password"));
  }
}
