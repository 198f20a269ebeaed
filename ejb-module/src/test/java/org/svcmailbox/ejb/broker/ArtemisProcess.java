package org.svcmailbox.ejb.broker;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.svcmailbox.broker.RefuseBrokers;
import org.svcmailbox.ejb.broker.BrokerProcess.Command;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerAccess.Login;
import org.svcmailbox.ejb.link.BrokerState;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.process.ProcessTree;

/** A broker of the settings that operators get, in a process of its own. */
final class ArtemisProcess implements AutoCloseable {
  private static final Path TEMPLATES = Path.of("..", "server", "config", "artemis");
  private static final String SETTINGS = "broker.xml";
  private static final Login LOGIN = new Login("service", "secret");
  private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();
  private static final Duration SOON = Duration.ofMinutes(1);

  /** Which Artemis it is. */
  enum Release {
    /** That of the service and its client. */
    OURS,
    /** A later one, which {@code server/config/later-artemis} lays out. */
    LATER;

    private String classPath() {
      return this == OURS
          ? System.getProperty("java.class.path")
          : Stream.of(
                  Path.of(System.getProperty("later.artemis"), "*"),
                  location(RefuseBrokers.class),
                  location(BrokerProcess.class),
                  location(Deadline.class))
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private final Map<String, String> replaced;
  private final Path output;
  private final Process process;
  private final ProcessTree tree;
  private final BufferedReader answers;
  private Path directory;

  private ArtemisProcess(
      Path directory, Release release, Map<String, String> replaced, List<String> options) {
    this.directory = directory;
    this.replaced = replaced;
    output = directory.resolveSibling(directory.getFileName() + ".txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-Djava.security.auth.login.config=" + directory.resolve("login.config"));
    command.addAll(options);
    String classPath = release.classPath() + File.pathSeparator + directory;
    command.addAll(List.of("-cp", classPath, BrokerProcess.class.getName()));
    command.add(directory.resolve(SETTINGS).toUri().toString());
    try {
      process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tree = new ProcessTree(process);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static Path location(Class<?> part) {
    try {
      return Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Starts one on what another has left there.
   *
   * @param replaced parts of the template that the test has otherwise
   * @param options of its JVM
   */
  static ArtemisProcess start(
      Path directory, Release release, Map<String, String> replaced, String... options) {
    write(directory, replaced);
    return new ArtemisProcess(directory, release, replaced, List.of(options));
  }

  private static void write(Path directory, Map<String, String> replaced) {
    try {
      Files.createDirectories(directory);
      String settings =
          Files.readString(TEMPLATES.resolve(SETTINGS))
              .replaceAll("(?s)<!-- pair -->.*<!-- /pair -->", "")
              .replace("@NAME@", "later")
              .replace("@BIND@", LOOPBACK + ":0")
              .replace("@TLS@", "")
              .replace("@STORE@", directory.toAbsolutePath().toString())
              .replaceAll("@CLUSTER_(USER|PASSWORD)@", "of nobody");
      for (Map.Entry<String, String> each : replaced.entrySet()) {
        if (!settings.contains(each.getKey())) {
          throw new IllegalArgumentException("the template has no " + each.getKey());
        }
        settings = settings.replace(each.getKey(), each.getValue());
      }
      Files.writeString(directory.resolve(SETTINGS), settings);
      Files.writeString(
          directory.resolve("login.config"), Files.readString(TEMPLATES.resolve("login.config")));
      Files.writeString(
          directory.resolve("artemis-users.properties"),
          LOGIN.user() + " = " + LOGIN.password() + "\n");
      Files.writeString(
          directory.resolve("artemis-roles.properties"), "mailbox = " + LOGIN.user() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The way of a service in this process, once the broker listens. */
  BrokerAccess access() {
    return new BrokerAccess(locator(), () -> LOGIN, () -> null, new BrokerState());
  }

  ServerLocator locator() {
    return ActiveMQClient.createServerLocatorWithoutHA(
            new TransportConfiguration(
                NettyConnectorFactory.class.getName(), Map.of("host", LOOPBACK, "port", port())))
        .setClientFailureCheckPeriod(500);
  }

  private int port() {
    return Integer.parseInt(tell(Command.PORT, ""));
  }

  /** The file that its journal writes to. */
  Path journalFile() {
    return Path.of(tell(Command.JOURNAL_FILE, ""));
  }

  void tell(Command command, SimpleString queue) {
    String unused = tell(command, queue.toString());
  }

  /** Has the process do something, and returns its answer when it is done. */
  private String tell(Command command, String argument) {
    try {
      process.outputWriter(StandardCharsets.UTF_8).append(command + " " + argument + "\n").flush();
      String line = answers.readLine();
      while (line != null && !line.startsWith(BrokerProcess.DONE)) {
        line = answers.readLine();
      }
      if (line == null) {
        throw new IllegalStateException("the broker ended: " + printed());
      }
      return line.substring(BrokerProcess.DONE.length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its console. */
  String printed() throws IOException {
    return Files.readString(output);
  }

  /**
   * Leaves the broker as a kill would: another one in the same process starts from a copy of the
   * files as they are now. That takes less than a new process.
   */
  void crashInto(Path copy) {
    EmbeddedArtemis.copyAtOneTime(directory, copy);
    write(copy, replaced);
    String unused = tell(Command.REPLACE, copy.resolve(SETTINGS).toUri().toString());
    Trees.delete(directory);
    directory = copy;
  }

  void kill() {
    tree.kill();
  }

  /** Stops it in good order. */
  void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int unused = tree.awaitEnd(SOON);
  }

  @Override
  public void close() {
    tree.kill();
  }
}
