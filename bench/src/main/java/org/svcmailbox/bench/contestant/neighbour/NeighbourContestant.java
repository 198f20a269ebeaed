package org.svcmailbox.bench.contestant.neighbour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.contestant.Contestant;
import org.svcmailbox.bench.load.ClosedLoop;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.QueueClient;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.Programs;

/** An installed server on a free port of loopback, with a data directory of its own. */
abstract class NeighbourContestant implements Contestant {
  static final String HOST = "127.0.0.1";

  private static final int FILLERS = 4;
  private static final int FILL_BATCH = 500;

  private final String debianPackage;
  private final String program;
  private @Nullable Listener listener;

  /**
   * @param program name on the path, or a whole path
   */
  NeighbourContestant(String debianPackage, String program) {
    this.debianPackage = debianPackage;
    this.program = program;
  }

  /** The process that listens on this port. */
  abstract ProcessBuilder process(Path directory, int port) throws IOException;

  abstract QueueClient client(String queue) throws Exception;

  @Override
  public Optional<String> missing() {
    return find().isPresent() ? Optional.empty() : Optional.of("apt-get install " + debianPackage);
  }

  @Override
  public boolean can(Load load) {
    return true;
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    Path own = Files.createDirectories(directory).toAbsolutePath();
    int port = PortOffset.freePort();
    listener = Listener.start(process(own, port), port, output);
  }

  @Override
  public void fill(String queue, int messages) throws Exception {
    ClosedLoop.fill(number -> client(queue), FILLERS, FILL_BATCH, messages);
  }

  @Override
  public Outcome run(Load load, String queue, Duration lasting) throws Exception {
    return ClosedLoop.runOrAtRate(number -> client(queue), load, lasting);
  }

  @Override
  public ProcessUsage processes() {
    return listener().processes();
  }

  @Override
  public boolean isJvm() {
    return false;
  }

  @Override
  public void close() {
    if (listener != null) {
      listener.close();
    }
  }

  final String program() {
    return find().orElseThrow().toString();
  }

  final int port() {
    return listener().uri().getPort();
  }

  private Optional<Path> find() {
    return Programs.find(program);
  }

  private Listener listener() {
    return Objects.requireNonNull(listener);
  }
}
