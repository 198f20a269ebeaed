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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.CutProxy;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.net.TestCertificate;
import org.svcmailbox.test.process.ProcessTree;

/**
 * A broker that the script for operators lays out and runs, as a process of its own behind a
 * network that can be cut. The system property {@code mailbox.artemis.zip} names its distribution.
 */
public final class BrokerMember implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final String WAITS = "AMQ221034";

  private final Path directory;
  private final Map<String, String> environment;
  private final int port = PortOffset.freePort();
  private final CutProxy network = new CutProxy(PortOffset.freePort(), port);
  private @Nullable ProcessTree process;

  private BrokerMember(Path directory, Map<String, String> secrets) {
    this.directory = directory;
    environment = new HashMap<>(secrets);
    environment.putAll(distribution());
    environment.put("MAILBOX_BROKER_JAVA_OPTS", "-Xms128m -Xmx768m " + MailboxServer.FAST_START);
  }

  /**
   * Lays one out, with TLS and a password that no URL could carry as it is.
   *
   * @param directory its own, in one that exists
   * @param shown what it shows; its password is the file's
   * @param secrets environment variables of the script beside that password, also {@code
   *     ARTEMIS_HOME} of another distribution
   * @param options of the script beside the name, the address and the key store
   */
  public static BrokerMember layOut(
      Path directory, TestCertificate shown, Map<String, String> secrets, String... options) {
    Map<String, String> all = new HashMap<>(secrets);
    all.put("MAILBOX_BROKER_TLS_PASSWORD", shown.password());
    BrokerMember member = new BrokerMember(directory, all);
    List<String> command =
        new ArrayList<>(
            List.of(
                "create",
                "--name",
                directory.getFileName().toString(),
                "--bind",
                "127.0.0.1:" + member.port,
                "--keystore",
                shown.keystore().toAbsolutePath().toString()));
    command.addAll(List.of(options));
    if (member.await(command.toArray(String[]::new)) != 0) {
      throw new IllegalStateException("no broker was laid out\n" + member.printed());
    }
    return member;
  }

  /** The environment variables of scripts that run a broker: its distribution and the JDK. */
  public static Map<String, String> distribution() {
    return Map.of(
        "JAVA_HOME",
        System.getProperty("java.home"),
        "XDG_CACHE_HOME",
        Layout.TESTS.resolve("cache").toString(),
        "MAILBOX_ARTEMIS_ZIP",
        Path.of(System.getProperty("mailbox.artemis.zip")).toAbsolutePath().toString());
  }

  /** Where the service reaches it. */
  public String url() {
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
