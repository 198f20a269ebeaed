package org.svcmailbox.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** PostgreSQL as a child process with new data, as durable as it is out of the box. */
final class PostgresServer implements AutoCloseable {
  /** Its database and the name of its user, who needs no password. */
  static final String NAME = "postgres";

  private final EmbeddedPostgres server;
  private final ProcessHandle process;

  private PostgresServer(EmbeddedPostgres server, ProcessHandle process) {
    this.server = server;
    this.process = process;
  }

  /**
   * Starts it and returns when it takes connections.
   *
   * @param directory an empty one for its data
   * @param output a file for what it prints
   */
  static PostgresServer start(Path directory, Path output) throws IOException {
    // Zonky's comes with both off.
    EmbeddedPostgres started =
        EmbeddedPostgres.builder()
            .setDataDirectory(directory)
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setOutputRedirector(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .setErrorRedirector(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    String first = Files.readAllLines(directory.resolve("postmaster.pid")).get(0);
    return new PostgresServer(started, ProcessHandle.of(Long.parseLong(first)).orElseThrow());
  }

  /** Where it is, for JDBC; with its user. */
  String url() {
    return server.getJdbcUrl(NAME, NAME);
  }

  /** What it runs as; its other processes descend from this one. */
  ProcessHandle process() {
    return process;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
