package org.svcmailbox.ejb.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's first user is created once, if user files exist and are empty. */
class FirstUserTest {
  @TempDir private Path directory;

  private Optional<Path> provide() throws IOException {
    return new FirstUser(directory, new SecureRandom()).provide();
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  @Test
  void anOperatorIsMadeWithAPasswordThatTheServerKnowsByItsHash()
      throws IOException, GeneralSecurityException {
    Path users = file(FirstUser.USERS, "#$REALM_NAME=mailbox-console$");
    Path roles = file(FirstUser.ROLES, "");
    Path told = provide().orElseThrow();
    assertEquals(directory.resolve(FirstUser.PASSWORD), told);
    String password = Files.readString(told).strip();
    assertTrue(password.length() >= 20, "too short");
    byte[] text = ("admin:mailbox-console:" + password).getBytes(StandardCharsets.UTF_8);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
    assertEquals("#$REALM_NAME=mailbox-console$\nadmin=" + hash + "\n", Files.readString(users));
    assertEquals("admin=administrator\n", Files.readString(roles));
  }

  @Test
  void itIsMadeOnce() throws IOException {
    Path users = file(FirstUser.USERS, "");
    file(FirstUser.ROLES, "");
    assertTrue(provide().isPresent());
    String before = Files.readString(users);
    assertEquals(Optional.empty(), provide());
    assertEquals(before, Files.readString(users));
  }

  @Test
  void whereThereAreUsersNobodyIsAdded() throws IOException {
    file(FirstUser.USERS, "# people\nann=0123\n");
    file(FirstUser.ROLES, "ann=viewer\n");
    assertEquals(Optional.empty(), provide());
    assertFalse(Files.exists(directory.resolve(FirstUser.PASSWORD)));
  }

  @Test
  void whereUsersAreElsewhereNoFileIsMade() throws IOException {
    assertEquals(Optional.empty(), provide());
    file(FirstUser.USERS, "");
    assertEquals(Optional.empty(), provide());
    assertFalse(Files.exists(directory.resolve(FirstUser.PASSWORD)));
    assertFalse(Files.exists(directory.resolve(FirstUser.ROLES)));
  }
}
