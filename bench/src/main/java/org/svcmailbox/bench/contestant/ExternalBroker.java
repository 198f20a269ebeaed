package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.net.PortOffset;

/** The broker that {@code bin/mailbox-broker} lays out and runs, with an empty store. */
final class ExternalBroker implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String PASSWORD = "of a benchmark";

  private final Process process;
  private final int port;

  private ExternalBroker(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one and returns once it accepts connections.
   *
   * @param home the laid-out server, which has the script
   * @param directory for the broker; emptied first
   * @param output beside which the broker's is
   */
  static ExternalBroker start(Path home, Path directory, Path output) throws IOException {
    Trees.delete(directory);
    Path script = home.resolve("bin/mailbox-broker");
    Path printed = output.resolveSibling(directory.getFileName() + ".txt");
    int port = PortOffset.freePort();
    ProcessBuilder create = command(script, "create", directory, "--bind", "127.0.0.1:" + port);
    create.environment().put("MAILBOX_BROKER_PASSWORD", PASSWORD);
    if (ChildProcesses.start(create, printed).onExit().join().exitValue() != 0) {
      throw new IllegalStateException("no broker was laid out: " + Files.readString(printed));
    }
    ExternalBroker broker =
        new ExternalBroker(ChildProcesses.start(command(script, "run", directory), printed), port);
    broker.awaitListener(printed);
    return broker;
  }

  private static ProcessBuilder command(
      Path script, String command, Path directory, String... options) {
    ProcessBuilder builder = Server.script(script);
    builder.command().add(command);
    builder.command().add(directory.toString());
    builder.command().addAll(List.of(options));
    return builder;
  }

  private void awaitListener(Path printed) {
    long end = System.nanoTime() + START.toNanos();
    while (!isListening()) {
      if (!process.isAlive() || System.nanoTime() - end >= 0) {
        throw new IllegalStateException("the broker does not listen: see " + printed);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      // Not yet.
      return false;
    }
  }

  /** The environment variables that make a mailbox server use it. */
  Map<String, String> settings() {
    return Map.of(
        "MAILBOX_BROKER_URL",
        "tcp://127.0.0.1:" + port,
        "MAILBOX_BROKER_USER",
        "mailbox",
        "MAILBOX_BROKER_PASSWORD",
        PASSWORD);
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    ChildProcesses.stop(process);
  }
}
