package org.svcmailbox.it.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.files.Trees;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.net.TestCertificate;
import org.svcmailbox.test.process.ProcessTree;

/**
 * The laid-out server, as a process of its own with its own data and ports. The layout is the one
 * that the system property {@code mailbox.server} names, unless a test asks for another.
 */
public final class MailboxServer implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration STOP = Duration.ofMinutes(1);
  private static final int TAIL = 40;

  /** Until a JVM has printed its threads, or will not. */
  private static final Duration PRINTED = Duration.ofSeconds(10);

  private static final String END_OF_THREADS = "JNI global refs";

  /**
   * A server under test never runs for long enough to earn back what the optimizer costs. Its
   * archive of classes may be where an attacker would expect it, which saves moving it.
   */
  public static final String FAST_START =
      "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0";

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Layout layout;
  private final Path home;
  private final Path directory;
  private final List<String> arguments;
  private final Map<String, String> settings;
  private @Nullable TestCertificate certificate;
  private final int offset = PortOffset.free();
  private @Nullable ProcessTree process;

  private MailboxServer(
      Layout layout,
      Path home,
      Path directory,
      List<String> arguments,
      Map<String, String> settings,
      @Nullable TestCertificate certificate) {
    this.layout = layout;
    this.home = home;
    this.directory = directory;
    this.arguments = List.copyOf(arguments);
    this.settings = new TreeMap<>(settings);
    this.certificate = certificate;
  }

  /**
   * Starts a server with empty data, and returns when it is ready.
   *
   * @param name of its directory under {@code target/it}
   * @param settings environment variables such as {@code MAILBOX_T_REPLAY}
   */
  public static MailboxServer start(String name, Map<String, String> settings) {
    return start(name, settings, null);
  }

  /**
   * The same with TLS.
   *
   * @param settings with those that make the server use the certificate
   * @param certificate what it is to show
   */
  public static MailboxServer start(
      String name, Map<String, String> settings, @Nullable TestCertificate certificate) {
    MailboxServer server = laidOut(Layout.chosen(), name, settings, certificate);
    server.restart();
    return server;
  }

  /** Starts a server of one layout, whichever was chosen. */
  public static MailboxServer start(Layout layout, String name, Map<String, String> settings) {
    MailboxServer server = laidOut(layout, name, settings, null);
    server.restart();
    return server;
  }

  /** Lays a server out with empty data, and does not start it. */
  public static MailboxServer prepare(String name, Map<String, String> settings) {
    return prepare(Layout.chosen(), name, settings);
  }

  /** The same with a server of one layout, whichever was chosen. */
  public static MailboxServer prepare(Layout layout, String name, Map<String, String> settings) {
    return laidOut(layout, name, settings, null);
  }

  /** Launches a server that is expected to refuse its settings. */
  public static MailboxServer launch(String name, Map<String, String> settings) {
    MailboxServer server = laidOut(Layout.chosen(), name, settings, null);
    server.launch();
    return server;
  }

  private static MailboxServer laidOut(
      Layout layout,
      String name,
      Map<String, String> settings,
      @Nullable TestCertificate certificate) {
    Path home = layout.home();
    Path directory = Layout.TESTS.resolve(name + "-" + NUMBERS.incrementAndGet());
    Trees.delete(directory);
    Map<String, String> all = new HashMap<>(layout.settings());
    all.putAll(settings);
    return new MailboxServer(
        layout, home, directory, layout.configure(home, directory), all, certificate);
  }

  /**
   * Starts a server that somebody has unpacked, as it is and with the options of the product, with
   * empty data, and returns when it is ready.
   *
   * @param home where it was unpacked
   * @param directory for its data and its console
   */
  public static MailboxServer startUnpacked(
      Path home, Path directory, Map<String, String> settings) {
    MailboxServer server =
        new MailboxServer(Layout.WILDFLY, home, directory, List.of(), settings, null);
    server.restart();
    return server;
  }

  /** Where it answers. */
  public URI uri() {
    String address = settings.getOrDefault("MAILBOX_BIND", "127.0.0.1");
    return certificate == null
        ? URI.create("http://" + address + ":" + port(PortOffset.HTTP))
        : URI.create("https://" + address + ":" + port(PortOffset.HTTPS));
  }

  /** Where one of its ports is that stands at {@code unshifted} in its configuration. */
  public int port(int unshifted) {
    return unshifted + offset;
  }

  /** How its operator calls it, once it is ready. */
  public CallTarget target() {
    return CallTarget.asOperator(uri(), operatorFile());
  }

  /** Where it leaves the operator's capability. */
  public Path operatorFile() {
    return data().resolve("mailbox/operator.cap");
  }

  /** Its data directory. */
  public Path data() {
    return directory.resolve("data");
  }

  /** Where everything is that it writes: data, console, log, temporary files, configuration. */
  public Path directory() {
    return directory;
  }

  /** The ids of its processes. */
  public List<Long> processIds() {
    return running().ids();
  }

  /** Whether one of its processes has a file mapped into its memory. */
  public boolean maps(Path file) throws IOException {
    for (long process : processIds()) {
      try (Stream<String> maps = Files.lines(Path.of("/proc", Long.toString(process), "maps"))) {
        if (maps.anyMatch(line -> line.endsWith(" " + file))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Everything it ever wrote to its console. */
  public Path output() {
    return directory.resolve("console.txt");
  }

  /** Its log file. */
  public Path log() {
    return data().resolve("log").resolve(layout.log());
  }

  /** The lines it wrote to its console so far. */
  public List<String> outputLines() {
    try {
      return Files.readAllLines(output());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many of its threads have a name that begins so; the system keeps 15 characters of it. */
  public long threads(String beginning) {
    return running().ids().stream()
        .flatMap(id -> Stream.of(Path.of("/proc/" + id + "/task").toFile().listFiles()))
        .filter(thread -> name(thread.toPath()).startsWith(beginning))
        .count();
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm"));
    } catch (IOException e) {
      // It has ended meanwhile.
      return "";
    }
  }

  /** Whether its process runs. */
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Sends SIGKILL, to the JVM first, and returns when every process is gone. */
  public void kill9() {
    running().kill();
  }

  /** Stops its processes where they are: connections stay, and nobody answers on them. */
  public void freeze() {
    running().freeze();
  }

  /** Does that to the broker alone that its script runs beside it. */
  public void freezeBroker() {
    running().freezeOnly("org.apache.activemq.artemis");
  }

  /** Lets its processes go on. */
  public void thaw() {
    running().thaw();
  }

  /** Sends SIGTERM, and returns the exit code. */
  public int terminate() {
    return running().terminate(STOP);
  }

  /** Returns its exit code when it has ended by itself. */
  public int awaitEnd() {
    return running().awaitEnd(START);
  }

  /** Sets an environment variable for its next start. */
  public void set(String name, String value) {
    settings.put(name, value);
  }

  /** Leaves an environment variable out of its next start. */
  public void unset(String name) {
    settings.remove(name);
  }

  /** Has it serve HTTPS with a certificate from its next start on, or HTTP with none. */
  public void showAtNextStart(@Nullable TestCertificate next) {
    certificate = next;
    unset("MAILBOX_TLS_KEYSTORE");
    unset("MAILBOX_TLS_PASSWORD");
    if (next != null) {
      set("MAILBOX_TLS_KEYSTORE", next.keystore().toString());
      set("MAILBOX_TLS_PASSWORD", next.password());
    }
  }

  /** Launches another server on the data of this one, with ports of its own. */
  public MailboxServer another(Map<String, String> others) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(others);
    MailboxServer other = new MailboxServer(layout, home, directory, arguments, all, certificate);
    other.launch();
    return other;
  }

  /** Starts it again on the same data and ports after its end, and returns when it is ready. */
  public void restart() {
    launch();
    awaitReady();
  }

  /** Starts it again on the same data and ports after its end. */
  public void launch() {
    if (isAlive()) {
      throw new IllegalStateException("it still runs");
    }
    try {
      Files.createDirectories(data());
      // Else each start would say that it has closed the directory.
      Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwx------"));
      process = new ProcessTree(builder().start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has its administrator, who is on this machine, do operations, which have no commas in them. */
  public void manage(String... operations) {
    String all = String.join(",", operations);
    ProcessBuilder builder =
        new ProcessBuilder(
                home.resolve("bin/jboss-cli.sh").toString(),
                "--connect",
                "--timeout=" + START.toMillis(),
                "--controller=remote+http://127.0.0.1:" + port(PortOffset.MANAGEMENT),
                "--commands=" + all)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    try {
      int exit = builder.start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException(all + " ended with " + exit + "\n" + tail());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Kills it if it runs. */
  @Override
  public void close() {
    if (process != null) {
      process.kill();
    }
  }

  private ProcessTree running() {
    if (process == null) {
      throw new IllegalStateException("it was never started");
    }
    return process;
  }

  /** Returns when it is ready. */
  public void awaitReady() {
    Deadline.in(START)
        .await(() -> isReady(running()), () -> "readiness\n" + tail() + "\n" + stacks());
  }

  /** The stacks of its threads that run our code. */
  private String stacks() {
    int before = outputLines().size();
    running().printThreads();
    Deadline printed = Deadline.in(PRINTED);
    while (!since(before).contains(END_OF_THREADS) && !printed.isOver()) {
      LockSupport.parkNanos(PRINTED.dividedBy(100).toNanos());
    }
    return Stream.of(since(before).split("\n\n"))
        .filter(thread -> thread.contains("at org.svcmailbox."))
        .collect(Collectors.joining("\n\n"));
  }

  private String since(int line) {
    return outputLines().stream().skip(line).collect(Collectors.joining("\n"));
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/mailbox").toString());
    builder.command().addAll(arguments);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("MAILBOX_"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("MAILBOX_PORT_OFFSET", Integer.toString(offset));
    environment.put("MAILBOX_DATA_DIR", data().toString());
    environment.putAll(settings);
    File console = output().toFile();
    return builder
        .redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(console));
  }

  private boolean isReady(ProcessTree launched) {
    if (!launched.isAlive()) {
      throw new AssertionError("the server ended while starting\n" + tail());
    }
    try {
      var connection = (HttpURLConnection) uri().resolve("/readyz").toURL().openConnection();
      if (connection instanceof HttpsURLConnection https && certificate != null) {
        https.setSSLSocketFactory(certificate.trusting().getSocketFactory());
      }
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      // Not listening yet.
      return false;
    }
  }

  private String tail() {
    List<String> lines = outputLines();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }
}
