package org.svcmailbox.bench.contestant;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.test.net.PortOffset;

/** The laid-out server as a child process on loopback. */
public final class Server implements AutoCloseable {
  /** A long run has more keys than the default allows: each stays taken for {@code t_replay}. */
  public static final Map<String, String> SETTINGS = Map.of("MAILBOX_DEDUP_CAPACITY", "100000000");

  private static final Duration START = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final ProcessBuilder builder;
  private final Process process;
  private final int offset;
  private final Path data;
  private final Instant launched;
  private Duration startUp = Duration.ZERO;

  private Server(ProcessBuilder builder, Process process, int offset, Path data, Instant launched) {
    this.builder = builder;
    this.data = data;
    this.process = process;
    this.offset = offset;
    this.launched = launched;
  }

  /** Starts the only server of a scenario. */
  public static Server start(Options options, Map<String, String> settings) throws IOException {
    return start(options.home(), options.data(), options.output("server"), settings);
  }

  /** Starts one of several servers, whose data and output have these names. */
  public static Server start(
      Options options, String data, String output, Map<String, String> settings)
      throws IOException {
    return start(options.home(), options.data(data), options.output(output), settings);
  }

  /**
   * Starts a server and returns once it is ready.
   *
   * @param data an empty directory, or the data of an earlier server
   * @param settings environment beyond the defaults
   * @throws IllegalStateException if it ends, or is not ready in time
   */
  static Server start(Path home, Path data, Path output, Map<String, String> settings)
      throws IOException {
    int offset = PortOffset.free();
    ProcessBuilder builder = script(home.resolve("bin/mailbox"));
    builder.environment().putAll(settings);
    builder.environment().put("MAILBOX_PORT_OFFSET", Integer.toString(offset));
    builder.environment().put("MAILBOX_DATA_DIR", data.toAbsolutePath().toString());
    return launch(builder, offset, data, output);
  }

  /** Starts a server on the data and ports of this one, which must have ended. */
  public Server again(Path output) throws IOException {
    return launch(builder, offset, data, output);
  }

  private static Server launch(ProcessBuilder builder, int offset, Path data, Path output)
      throws IOException {
    Instant launched = Instant.now();
    long begun = System.nanoTime();
    Server server =
        new Server(builder, ChildProcesses.start(builder, output), offset, data, launched);
    server.awaitReadiness(output);
    server.startUp = Duration.ofNanos(System.nanoTime() - begun);
    return server;
  }

  /** A start script with this JDK and without inherited settings. */
  public static ProcessBuilder script(Path script) {
    ProcessBuilder builder = new ProcessBuilder(script.toString());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(MAILBOX|JBOSS)_.*|JAVA_OPTS|GC_LOG"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  public URI uri() {
    return at(PortOffset.HTTP);
  }

  /** The listener with this port before the offset. */
  public URI at(int unshifted) {
    return URI.create("http://127.0.0.1:" + (unshifted + offset));
  }

  /** The operator's capability. */
  public LoadTarget operator() throws IOException {
    return new LoadTarget(uri(), Files.readString(data.resolve("mailbox/operator.cap")).strip());
  }

  /** A capability for SEND, RECV and ACK on the topics of the benchmark, valid for a day. */
  public LoadTarget client() throws IOException {
    return mint("\"topic = " + LoadTarget.TOPICS + "*\",\"ops = send,recv,ack\"");
  }

  /**
   * A new capability, valid for a day.
   *
   * @param caveats JSON strings with commas between them
   */
  public LoadTarget mint(String caveats) throws IOException {
    String order = "{\"caveats\":[" + caveats + "],\"expires_in\":\"1d\"}";
    try (HttpConnection connection = new HttpConnection(operator())) {
      String minted = connection.post("/v1/capabilities", order);
      return new LoadTarget(uri(), new ObjectMapper().readTree(minted).path("capability").asText());
    }
  }

  public ServerMetrics metrics() throws IOException {
    try (HttpConnection connection = new HttpConnection(operator())) {
      return new ServerMetrics(connection.call("GET", "/metrics", ""));
    }
  }

  /** Time from launch to ready. */
  public Duration startUp() {
    return startUp;
  }

  public Instant launched() {
    return launched;
  }

  /** Sends SIGKILL and waits for the end. */
  public void kill() {
    ChildProcesses.kill(process);
    process.onExit().join();
  }

  /** The start script, whose descendant is the JVM. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Process id of the JVM. */
  public long pid() {
    return jvm().pid();
  }

  /** CPU time of the JVM. */
  public Duration cpu() {
    return jvm().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Sends SIGTERM, and SIGKILL after 30 seconds. */
  @Override
  public void close() {
    ChildProcesses.stop(process);
  }

  private ProcessHandle jvm() {
    return new ProcessUsage(process()).jvm();
  }

  private void awaitReadiness(Path output) throws IOException {
    long end = System.nanoTime() + START.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() - end >= 0) {
        throw new IllegalStateException(
            "not ready: see " + output + " of " + Files.size(output) + " bytes");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean isReady() {
    try {
      var connection = (HttpURLConnection) uri().resolve("/readyz").toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      // Not listening yet.
      return false;
    }
  }
}
