package org.svcmailbox.it.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.CutProxy;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.ProcessTree;

/** One broker of a pair, as a process of its own behind a network that can be cut. */
public final class BrokerMember implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final String WAITS = "AMQ221034";

  private final Path directory;
  private final Map<String, String> environment;
  private final int port = PortOffset.freePort();
  private final CutProxy network = new CutProxy(PortOffset.freePort(), port);
  private @Nullable ProcessTree process;

  /** Lays one out. */
  BrokerMember(Path directory, Path store, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    String name = directory.getFileName().toString();
    int exit =
        await("create", "--name", name, "--bind", "127.0.0.1:" + port, "--store", store.toString());
    if (exit != 0) {
      throw new IllegalStateException("no broker was laid out\n" + printed());
    }
  }

  /** Where the service reaches it. */
  String url() {
    return "tcp://127.0.0.1:" + network.port();
  }

  /** Starts it; returns when it serves or waits for the other's end. */
  public void start() {
    long waits = countWaits();
    try {
      process = new ProcessTree(builder("run").start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Deadline.in(START)
        .await(() -> serves() || countWaits() > waits, () -> "the start of a broker\n" + printed());
  }

  /** Whether it accepts connections, cut off or not. */
  public boolean serves() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Sends SIGKILL, and returns when it is gone. */
  public void kill() {
    running().kill();
  }

  /** Sends SIGTERM, and does not wait. */
  public void tellToEnd() {
    running().ids().stream()
        .flatMap(id -> ProcessHandle.of(id).stream())
        .forEach(ProcessHandle::destroy);
  }

  /** Returns when it has ended. */
  public void awaitEnd() {
    int unused = running().awaitEnd(STOP);
  }

  /** Stops it where it is, as SIGSTOP does. */
  public void freeze() {
    running().freeze();
  }

  public void thaw() {
    running().thaw();
  }

  /** Cuts the network between it and the service. */
  public void cut() {
    network.cut();
  }

  public void mend() {
    network.mend();
  }

  /** Everything it ever wrote to its console. */
  public String printed() {
    try {
      return Files.readString(output());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long countWaits() {
    return printed().lines().filter(line -> line.contains(WAITS)).count();
  }

  private Path output() {
    return directory.resolveSibling(directory.getFileName() + ".txt");
  }

  private int await(String... command) {
    try {
      return builder(command).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The script with a command on this broker and the command's options. */
  private ProcessBuilder builder(String... command) {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("mailbox.server.home"), "bin/mailbox-broker").toString());
    all.addAll(List.of(command));
    all.add(2, directory.toString());
    ProcessBuilder builder =
        new ProcessBuilder(all)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("MAILBOX_"));
    builder.environment().putAll(environment);
    return builder;
  }

  private ProcessTree running() {
    if (process == null) {
      throw new IllegalStateException("it was never started");
    }
    return process;
  }

  @Override
  public void close() {
    if (process != null) {
      process.kill();
    }
    network.close();
  }
}
