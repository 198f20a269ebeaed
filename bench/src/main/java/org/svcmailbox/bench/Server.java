package org.svcmailbox.bench;

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
import org.svcmailbox.test.net.PortOffset;

/** The laid-out server as a child process with new data, on loopback. */
final class Server implements AutoCloseable {
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

  /**
   * Starts it and returns when it is ready.
   *
   * @param data an empty directory, or what an earlier one left
   * @param settings environment variables beyond the server's defaults
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

  /** Starts another one on the data and the ports of this one, which has ended. */
  Server again(Path output) throws IOException {
    return launch(builder, offset, data, output);
  }

  private static Server launch(ProcessBuilder builder, int offset, Path data, Path output)
      throws IOException {
    Instant launched = Instant.now();
    long begun = System.nanoTime();
    Server server = new Server(builder, Children.start(builder, output), offset, data, launched);
    server.awaitReadiness(output);
    server.startUp = Duration.ofNanos(System.nanoTime() - begun);
    return server;
  }

  /** A start script with this JDK and nothing else of the environment that it would read. */
  static ProcessBuilder script(Path script) {
    ProcessBuilder builder = new ProcessBuilder(script.toString());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(MAILBOX|JBOSS)_.*|JAVA_OPTS|GC_LOG"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }

  URI uri() {
    return at(PortOffset.HTTP);
  }

  /** Where another of its listeners is that has this port when nothing is shifted. */
  URI at(int unshifted) {
    return URI.create("http://127.0.0.1:" + (unshifted + offset));
  }

  /** How its operator calls it. */
  LoadTarget operator() throws IOException {
    return new LoadTarget(uri(), Files.readString(data.resolve("mailbox/operator.cap")).strip());
  }

  /** How a client calls it that may do with the benchmark's topics what loads do, for a day. */
  LoadTarget client() throws IOException {
    String caveats =
        "{\"caveats\":[\"topic = "
            + LoadTarget.TOPICS
            + "*\",\"ops = send,recv,ack\"],"
            + "\"expires_in\":\"1d\"}";
    try (HttpConnection connection = new HttpConnection(operator())) {
      String minted = connection.post("/v1/capabilities", caveats);
      return new LoadTarget(uri(), new ObjectMapper().readTree(minted).path("capability").asText());
    }
  }

  /** Its metrics as Prometheus text. */
  String metrics() throws IOException {
    try (HttpConnection connection = new HttpConnection(operator())) {
      return connection.call("GET", "/metrics", "");
    }
  }

  /** How long it took until it was ready. */
  Duration startUp() {
    return startUp;
  }

  /** When it was told to start. */
  Instant launched() {
    return launched;
  }

  /** Ends it as a crash does. */
  void kill() {
    Children.kill(process);
    process.onExit().join();
  }

  /** What it runs as. */
  ProcessHandle process() {
    return process.toHandle();
  }

  /** The process id of its JVM. */
  long pid() {
    return jvm().pid();
  }

  /** The CPU time its JVM has used. */
  Duration cpu() {
    return jvm().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Ends it as an operator does, and the hard way when that takes too long. */
  @Override
  public void close() {
    Children.stop(process);
  }

  private ProcessHandle jvm() {
    return process
        .descendants()
        .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElseGet(process::toHandle);
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
