package org.svcmailbox.it.console;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.svcmailbox.it.server.MailboxServer;

/** Manages a server's console users with {@code mailbox-user}. */
final class Users {
  private final MailboxServer server;

  Users(MailboxServer server) {
    this.server = server;
  }

  /** The generated password of the first user. */
  String firstPassword() {
    try {
      return Files.readString(directory().resolve("console.password")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path directory() {
    return server.data().resolve("mailbox");
  }

  /** Runs {@code mailbox-user}, and returns its exit code. */
  int put(String name, String role, String password) throws IOException {
    String script = System.getProperty("mailbox.server.home") + "/bin/mailbox-user";
    ProcessBuilder builder =
        new ProcessBuilder(script, name, role)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("MAILBOX_DATA_DIR", server.data().toAbsolutePath().toString());
    try {
      Process process = builder.start();
      try (OutputStream input = process.getOutputStream()) {
        input.write((password + "\n").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        // The command does not read a password that it does not need.
        return process.waitFor();
      }
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
