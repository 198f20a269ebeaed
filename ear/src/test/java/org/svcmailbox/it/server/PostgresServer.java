package org.svcmailbox.it.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of its own, unpacked from a jar, that can go away and come back with its data. */
public final class PostgresServer implements AutoCloseable {
  private final Path data;
  private final int port;
  private @Nullable EmbeddedPostgres running;

  private PostgresServer(Path data, int port) {
    this.data = data;
    this.port = port;
  }

  /** Starts an empty one. */
  public static PostgresServer start() {
    try {
      Path data = Files.createTempDirectory("mailbox-postgres");
      PostgresServer server = new PostgresServer(data, PortOffset.freePort());
      server.resume();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The four environment variables that make a mailbox server use it. */
  public Map<String, String> settings() {
    return Map.of(
        "MAILBOX_DB_DRIVER", "postgresql",
        "MAILBOX_DB_URL", "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
        "MAILBOX_DB_USER", "postgres",
        "MAILBOX_DB_PASSWORD", "postgres");
  }

  /** Where a test looks into it. */
  public DataSource source() {
    return running().getPostgresDatabase();
  }

  /** Ends its processes; connections are refused from now on, the data stays. */
  public void halt() {
    try {
      running().close();
      running = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it on its data and its port. */
  public void resume() {
    try {
      // It comes with both off, and the mailbox server would refuse to start.
      running =
          EmbeddedPostgres.builder()
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setPort(port)
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops its processes where they are: connections stay, and nobody answers on them. */
  public void freeze() {
    signal("-STOP");
  }

  /** Lets its processes go on. */
  public void thaw() {
    signal("-CONT");
  }

  @Override
  public void close() {
    if (running != null) {
      thaw();
      halt();
    }
    Trees.delete(data);
  }

  private EmbeddedPostgres running() {
    if (running == null) {
      throw new IllegalStateException("it does not run");
    }
    return running;
  }

  private void signal(String signal) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    try {
      long postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0));
      ProcessHandle root = ProcessHandle.of(postmaster).orElseThrow();
      Stream.concat(Stream.of(root), root.descendants())
          .forEach(process -> command.add(Long.toString(process.pid())));
      // A backend may have ended meanwhile; the others were told all the same.
      new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
