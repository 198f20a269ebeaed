package org.svcmailbox.it.browser;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.svcmailbox.it.server.MailboxServer;

/** A user's credentials. */
record Person(String user, String password) {
  /** The administrator that the server creates at its first start. */
  static Person operator(MailboxServer server) {
    Path file = server.data().resolve("mailbox/console.password");
    try {
      return new Person("admin", Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates or resets a viewer with {@code mailbox-user}. */
  static Person viewer(MailboxServer server) {
    return viewer(server, "victor");
  }

  /** The same, by name. */
  static Person viewer(MailboxServer server, String name) {
    Person viewer = new Person(name, "only-for-looking");
    String program = System.getProperty("mailbox.server.home") + "/bin/mailbox-user";
    ProcessBuilder builder = new ProcessBuilder(program, viewer.user, "viewer");
    builder.environment().put("MAILBOX_DATA_DIR", server.data().toString());
    try {
      Process process = builder.redirectErrorStream(true).start();
      try (OutputStream input = process.getOutputStream()) {
        input.write((viewer.password + "\n").getBytes(StandardCharsets.UTF_8));
      }
      if (process.waitFor() != 0) {
        byte[] words = process.getInputStream().readAllBytes();
        throw new IllegalStateException(new String(words, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    return viewer;
  }

  /** Omits the password. */
  @Override
  public String toString() {
    return user;
  }
}
