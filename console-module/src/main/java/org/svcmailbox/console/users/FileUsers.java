package org.svcmailbox.console.users;

import java.io.IOException;
import java.io.Reader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The users in {@code console-users.properties} and {@code console-roles.properties}. Both files
 * have the format of WildFly's add-user. A server without a security domain reads them here at each
 * sign-in, so a change applies at once.
 */
final class FileUsers {
  private static final Logger LOG = System.getLogger(FileUsers.class.getName());
  private static final String USERS = "console-users.properties";
  private static final String ROLES = "console-roles.properties";
  private static final String FIRST_PASSWORD = "console.password";
  private static final String REALM = "mailbox-console";
  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private static final String SERVICE = "mailbox";

  private final Path directory;

  FileUsers(Path directory) {
    this.directory = directory;
  }

  /** Finds the files in WildFly's data directory, or else in {@code MAILBOX_DATA_DIR}. */
  static Optional<FileUsers> find() {
    return Optional.ofNullable(System.getProperty("jboss.server.data.dir"))
        .or(() -> Optional.ofNullable(System.getenv("MAILBOX_DATA_DIR")))
        .map(data -> new FileUsers(Path.of(data, SERVICE)));
  }

  /** A user's roles; null for invalid credentials, and if the files cannot be read. */
  @Nullable Set<String> roles(String user, char[] password) {
    try {
      String expected = read(USERS).getProperty(user, "");
      boolean isValid = MessageDigest.isEqual(bytes(expected), bytes(hash(user, password)));
      return isValid ? rolesOf(user) : null;
    } catch (IOException e) {
      LOG.log(Level.ERROR, "The console's users cannot be read", e);
      return null;
    }
  }

  /** Whether the user has a line in the format that {@code mailbox-user} writes. */
  boolean has(String user) {
    try {
      return new PasswordFile(directory.resolve(USERS)).has(user);
    } catch (IOException e) {
      LOG.log(Level.ERROR, "The console's users cannot be read", e);
      return false;
    }
  }

  /**
   * Changes a password. Deletes the file with the first password if that was the old one.
   *
   * @param ready called when only the replacement remains to be done; throws to prevent it
   * @return false if the file does not have the user's old password
   */
  boolean change(String user, String old, String next, Runnable ready) throws IOException {
    boolean isChanged =
        new PasswordFile(directory.resolve(USERS))
            .replace(user, hash(user, old.toCharArray()), hash(user, next.toCharArray()), ready);
    Path first = directory.resolve(FIRST_PASSWORD);
    if (isChanged && Files.exists(first) && Files.readString(first).strip().equals(old)) {
      Files.delete(first);
    }
    return isChanged;
  }

  private Set<String> rolesOf(String user) throws IOException {
    return COMMA
        .splitAsStream(read(ROLES).getProperty(user, "").strip())
        .filter(role -> !role.isEmpty())
        .collect(Collectors.toSet());
  }

  private Properties read(String name) throws IOException {
    Properties properties = new Properties();
    try (Reader reader =
        Files.newBufferedReader(directory.resolve(name), StandardCharsets.ISO_8859_1)) {
      properties.load(reader);
    } catch (IllegalArgumentException e) {
      throw new IOException(name + " is malformed", e);
    }
    return properties;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hash(String user, char[] password) {
    try {
      String text = user + ":" + REALM + ":" + new String(password);
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes(text)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }
}
