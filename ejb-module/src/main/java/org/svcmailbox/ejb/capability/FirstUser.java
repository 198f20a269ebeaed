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
 * The console's first user, where its users are in files beside the data and there are none yet: an
 * operator, whose password is made up and left in a file as readable as the operator's capability.
 * The files are of the form that WildFly's add-user writes, and the server reads them when they
 * have changed.
 */
final class FirstUser {
  static final String NAME = "operator";
  static final String USERS = "console-users.properties";
  static final String ROLES = "console-roles.properties";
  static final String PASSWORD = "console.password";

  /** Of the server's configuration: a password's hash is of this too. */
  private static final String REALM = "mailbox-console";

  private static final int PASSWORD_BYTES = 15;

  private final Path directory;
  private final SecureRandom random;

  FirstUser(Path directory, SecureRandom random) {
    this.directory = directory;
    this.random = random;
  }

  /**
   * Makes the user if there is none, and if the server has such files at all.
   *
   * @return where the password is; empty when nothing was done
   */
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
    // The user comes last: whoever is in the file has a role and a password.
    append(roles, NAME + "=operator");
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

  /** As add-user hashes; whoever reads the file reads the data beside it. */
  private static String hash(String password) {
    try {
      byte[] text = (NAME + ":" + REALM + ":" + password).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
