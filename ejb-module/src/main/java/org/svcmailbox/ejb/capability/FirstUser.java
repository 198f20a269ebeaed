package org.svcmailbox.ejb.capability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Creates the console's first user, an administrator, when the server's user files are empty. The
 * generated password is stored as readable as the operator's capability. The files have the form of
 * WildFly's add-user, and the server rereads them.
 */
final class FirstUser {
  static final String NAME = "admin";
  static final String USERS = "console-users.properties";
  static final String ROLES = "console-roles.properties";
  static final String PASSWORD = "console.password";

  /** As in the server's configuration; part of the password hash. */
  private static final String REALM = "mailbox-console";

  private static final int PASSWORD_BYTES = 15;

  private final Path directory;
  private final SecureRandom random;

  FirstUser(Path directory, SecureRandom random) {
    this.directory = directory;
    this.random = random;
  }

  /** Returns the password's file; empty when a user exists or the server has no such files. */
  Optional<Path> provide() throws IOException {
    Path users = directory.resolve(USERS);
    Path roles = directory.resolve(ROLES);
    if (!Files.exists(users) || !Files.exists(roles) || hasUsers(users)) {
      return Optional.empty();
    }
    byte[] bytes = new byte[PASSWORD_BYTES];
    random.nextBytes(bytes);
    String password = Base64.getUrlEncoder().encodeToString(bytes);
    OwnersFile file = new OwnersFile(directory, PASSWORD);
    file.write(password);
    // The user comes last, so that every user in the file has a role and a password.
    append(roles, NAME + "=administrator");
    append(users, NAME + "=" + hash(password));
    return Optional.of(file.path());
  }

  private static boolean hasUsers(Path users) throws IOException {
    return Files.readAllLines(users, StandardCharsets.ISO_8859_1).stream()
        .map(String::strip)
        .anyMatch(line -> !line.isEmpty() && !line.startsWith("#"));
  }

  private static void append(Path file, String line) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    String before = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
    Files.write(
        file, List.of(before + line), StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
  }

  /** The hash of add-user; its readers can read the data beside it anyway. */
  private static String hash(String password) {
    try {
      byte[] text = (NAME + ":" + REALM + ":" + password).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
