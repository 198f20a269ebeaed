package org.svcmailbox.it.drill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.server.FakeTime;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.worker.RunningWorker;
import org.svcmailbox.it.worker.WorkerProgram;

/** A worker that publishes and handles, its successors after each kill, and their clock. */
final class DrillWorker implements AutoCloseable {
  /** How long a lease lasts. */
  static final Duration ACK_WAIT = Duration.ofSeconds(2);

  private static final Duration STOP = Duration.ofSeconds(60);

  private static final String STREAMS =
      """
      [[stream]]
      name = "SHOP"
      subjects = ["shop.event.>"]
      max_age = "1d"
      dead_letter_age = "1d"

      [[consumer]]
      stream = "SHOP"
      durable = "%s"
      filter_subject = "shop.event.>"
      ack_wait = "%ds"
      max_deliver = 1000
      max_ack_pending = 100
      handler = "%s/%s"
      handler_timeout = "10s"
      """;

  private static final String WORKER =
      """
      context = "shop"
      stop_timeout = "10s"

      [database]
      url = "%s"

      [service]
      url = "%s"
      token_file = "%s"

      [inbox]
      consumers = ["%s"]

      [health]
      port = 0
      """;

  private final String name;
  private final WorkerProgram program;
  private final FakeTime clock;
  private @Nullable RunningWorker running;

  /**
   * A worker that has not started.
   *
   * @param name the path at which it calls the handler
   * @param service whose operator's capability it uses
   */
  DrillWorker(
      String name, MailboxServer service, String serviceUrl, String database, String handler)
      throws IOException {
    this.name = name;
    Path directory = Files.createDirectories(service.directory().resolve(name));
    program =
        new WorkerProgram(directory)
            .write(
                "streams.toml",
                STREAMS.formatted(OutboxStage.TOPIC, ACK_WAIT.toSeconds(), handler, name))
            .write(
                "worker.toml",
                WORKER.formatted(database, serviceUrl, service.operatorFile(), OutboxStage.TOPIC));
    clock = clock(service.directory().getFileName() + "-" + name);
  }

  private static FakeTime clock(String name) throws IOException {
    try {
      return new FakeTime(name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  String name() {
    return name;
  }

  void start() {
    running = program.start(clock.environment());
  }

  /** Returns when it works. */
  void awaitStart() {
    RunningWorker unused = running().awaitStart();
  }

  /** Moves its clock. */
  void set(Duration ahead) {
    try {
      clock.set(ahead);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void kill() {
    running().kill();
  }

  void freeze() {
    running().freeze();
  }

  void thaw() {
    running().thaw();
  }

  boolean isAlive() {
    return running().isAlive();
  }

  /** The output of its last process. */
  String printed() {
    return running().printed();
  }

  /** Stops it as a service manager would, and returns the exit code. */
  int stop() {
    return running().terminate(STOP);
  }

  private RunningWorker running() {
    return Objects.requireNonNull(running, "it was never started");
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
    }
  }
}
