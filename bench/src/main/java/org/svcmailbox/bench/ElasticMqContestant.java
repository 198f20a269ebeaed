package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.test.net.PortOffset;

/** ElasticMQ, in memory or with its file. */
final class ElasticMqContestant extends HttpContestant {
  private static final int LARGEST_BATCH = 10;
  static final Path CLASS_PATH = Path.of("bench/target/elasticmq/lib");

  private final boolean file;
  private @Nullable Listener listener;

  /**
   * @param file whether its messages storage is on
   */
  ElasticMqContestant(boolean file, Path work) {
    super(work);
    this.file = file;
  }

  @Override
  public String name() {
    return file ? "elasticmq-file" : "elasticmq-memory";
  }

  @Override
  public String title() {
    return file ? "ElasticMQ with its file" : "ElasticMQ in memory";
  }

  @Override
  public String durability() {
    return file ? "file, not synced" : "memory only";
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    int port = PortOffset.freePort();
    listener = Listener.start(process(directory, port), port, output);
  }

  /** How it is started. */
  ProcessBuilder process(Path directory, int port) throws IOException {
    Path configuration = Files.createDirectories(directory).resolve("elasticmq.conf");
    Files.writeString(configuration, configuration(directory.toAbsolutePath(), port));
    return new ProcessBuilder(
        Children.java(),
        // All it has is in its heap: twice what the service gets.
        "-Xms2g",
        "-Xmx4g",
        "-XX:+UseG1GC",
        "-Dconfig.file=" + configuration,
        "-cp",
        CLASS_PATH + "/*",
        "org.elasticmq.server.Main");
  }

  private String configuration(Path directory, int port) {
    return """
        include classpath("application.conf")
        node-address { host = "127.0.0.1", port = %1$d }
        rest-sqs { bind-hostname = "127.0.0.1", bind-port = %1$d }
        messages-storage { enabled = %2$s, uri = "jdbc:h2:%3$s/messages" }
        """
        .formatted(port, file, directory);
  }

  @Override
  LoadTarget target() {
    return new LoadTarget(Objects.requireNonNull(listener).uri(), "");
  }

  @Override
  HttpProtocol protocol() {
    return new SqsProtocol(target().server());
  }

  @Override
  int largestBatch() {
    return LARGEST_BATCH;
  }

  @Override
  public ProcessUsage processes() {
    return Objects.requireNonNull(listener).processes();
  }

  @Override
  public void close() {
    if (listener != null) {
      listener.close();
    }
  }
}
