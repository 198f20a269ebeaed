package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.SqsProtocol;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.machine.Listener;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.test.net.PortOffset;

/** ElasticMQ, in memory or with its message storage. */
public final class ElasticMqContestant extends HttpContestant {
  private static final int LARGEST_BATCH = 10;
  public static final Path CLASS_PATH = Path.of("bench/target/elasticmq/lib");

  private final boolean file;
  private @Nullable Listener listener;

  /**
   * @param file whether messages are stored in a file
   */
  public ElasticMqContestant(boolean file, Path work) {
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

  /** The process that listens on this port. */
  public ProcessBuilder process(Path directory, int port) throws IOException {
    Path configuration = Files.createDirectories(directory).resolve("elasticmq.conf");
    Files.writeString(configuration, configuration(directory.toAbsolutePath(), port));
    return new ProcessBuilder(
        ChildProcesses.java(),
        // It keeps messages in its heap, so it gets twice the heap of the service.
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
  public LoadTarget target() {
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
