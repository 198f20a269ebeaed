package org.svcmailbox.test.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.net.PortOffset;

/** A separate PostgreSQL, unpacked from a jar, that can stop and return with its data. */
public final class PostgresServer implements AutoCloseable {
  /** Its database, and the name of its user, who needs no password. */
  private static final String NAME = "postgres";

  /** After its death it reads its log again, and a busy disk takes its time. */
  private static final Duration START = Duration.ofMinutes(2);

  private static final Duration DEATH = Duration.ofMinutes(1);

  private final Path data;
  private final Redirect output;
  private final int port = PortOffset.freePort();
  private @Nullable EmbeddedPostgres running;

  private PostgresServer(Path data, Redirect output) {
    this.data = data;
    this.output = output;
  }

  /** Starts an empty one. */
  public static PostgresServer start() {
    try {
      return start(Files.createTempDirectory("mailbox-postgres"), Redirect.PIPE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same where the caller wants it.
   *
   * @param data an empty directory, which its end removes
   * @param output where it prints to
   */
  public static PostgresServer start(Path data, Redirect output) {
    PostgresServer server = new PostgresServer(data, output);
    server.resume();
    return server;
  }

  /** The four environment variables that make a mailbox server use it. */
  public Map<String, String> settings() {
    return Map.of(
        "MAILBOX_DB_DRIVER",
        "postgresql",
        "MAILBOX_DB_URL",
        "jdbc:postgresql://127.0.0.1:" + port + "/" + NAME,
        "MAILBOX_DB_USER",
        NAME,
        "MAILBOX_DB_PASSWORD",
        NAME);
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** The JDBC URL of its first database, with its user. */
  public String url() {
    return url(NAME);
  }

  /** The JDBC URL of one of its databases, with its user. */
  public String url(String database) {
    return running().getJdbcUrl(NAME, database);
  }

  /** Where a test looks into it. */
  public DataSource source() {
    return running().getPostgresDatabase();
  }

  /** Ends its processes; connections are refused from now on, the data stays. */
  public void halt() {
    Optional<ProcessHandle> root = found();
    try {
      // It waits for five seconds only, and a busy disk needs more for the last checkpoint.
      running().close();
      running = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    root.ifPresent(
        process -> Deadline.in(START).await(() -> !process.isAlive(), () -> "the end of " + data));
  }

  /** Sends SIGKILL to its processes, and returns when they are gone. The data is unchanged. */
  public void kill() {
    ProcessHandle root = process();
    List<ProcessHandle> all = Stream.concat(Stream.of(root), root.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Deadline.in(DEATH)
        .await(
            () -> all.stream().noneMatch(ProcessHandle::isAlive),
            () -> "the end of the processes of " + root.pid());
    halt();
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
              .setPGStartupWait(START)
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setOutputRedirector(output)
              .setErrorRedirector(output)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies its data to a directory that does not exist; only while it is halted. */
  public void copyTo(Path copy) {
    requireHalted();
    Trees.copy(data, copy);
  }

  /**
   * Starts another one that follows it as a standby from now on; while this one is halted.
   *
   * @param copy a directory that does not exist, for the standby's data
   */
  public PostgresServer standby(Path copy) {
    copyTo(copy);
    try {
      Files.createFile(copy.resolve("standby.signal"));
      Files.writeString(
          copy.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=127.0.0.1 port=%d user=%s'%n".formatted(port, NAME),
          StandardOpenOption.APPEND);
      makePrivate(copy);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return start(copy, output);
  }

  /** Makes a standby the primary; returns when it takes writes. */
  public void promote() {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_promote()");
    } catch (SQLException e) {
      throw new IllegalStateException("the standby cannot be promoted", e);
    }
  }

  /**
   * Replaces its data by an earlier copy, as the promotion of a late replica does; while halted.
   */
  public void fallBackTo(Path copy) {
    requireHalted();
    Trees.delete(data);
    Trees.copy(copy, data);
    try {
      makePrivate(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** PostgreSQL does not start on data that others may read. */
  private static void makePrivate(Path data) throws IOException {
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
  }

  private void requireHalted() {
    if (running != null) {
      throw new IllegalStateException("it runs");
    }
  }

  /** Stops its processes where they are: connections stay, and nobody answers on them. */
  public void freeze() {
    // The postmaster first: it starts no more of them then.
    signal("-STOP", Stream.of(process()));
    signal("-STOP", process().descendants());
  }

  /** Continues its processes. */
  public void thaw() {
    signal("-CONT", Stream.concat(process().descendants(), Stream.of(process())));
  }

  /** The postmaster, from which all its other processes descend. */
  public ProcessHandle process() {
    return found().orElseThrow();
  }

  private Optional<ProcessHandle> found() {
    try {
      String first = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
      return ProcessHandle.of(Long.parseLong(first));
    } catch (NoSuchFileException e) {
      // It has ended in order.
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  private static void signal(String signal, Stream<ProcessHandle> processes) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    if (command.size() == 2) {
      return;
    }
    try {
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
