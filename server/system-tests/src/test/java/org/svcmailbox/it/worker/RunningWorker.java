package org.svcmailbox.it.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.ProcessTree;

/** A process that publishes and handles. */
public final class RunningWorker implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final Pattern PORT = Pattern.compile("probes at port (\\d+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+(?:\\{.*})?) (\\S+)");

  private final ProcessTree process;
  private final Path output;
  private final HttpClient http = HttpClient.newHttpClient();

  RunningWorker(ProcessTree process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Returns when its loops have started. */
  public RunningWorker awaitStart() {
    Deadline.in(START).await(() -> !process.isAlive() || port().isPresent(), this::printed);
    if (!process.isAlive()) {
      throw new AssertionError("the worker ended while starting\n" + printed());
    }
    return this;
  }

  private Optional<String> port() {
    Matcher port = PORT.matcher(printed());
    return port.find() ? Optional.of(port.group(1)) : Optional.empty();
  }

  /** All that it has printed. */
  public String printed() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks one of its probes. */
  public HttpResponse<String> probe(String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port().orElseThrow() + path);
    try {
      return http.send(
          HttpRequest.newBuilder(uri).timeout(ANSWER).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Its metrics, by name and labels. */
  public Map<String, Double> metrics() throws IOException {
    Map<String, Double> metrics = new TreeMap<>();
    for (String line : probe("/metrics").body().lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches()) {
        metrics.put(sample.group(1), Double.valueOf(sample.group(2)));
      }
    }
    return metrics;
  }

  /** Whether its process runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGTERM, and returns the exit code. */
  public int terminate(Duration allowed) {
    return process.terminate(allowed);
  }

  /** Stops its threads where they are. */
  public void freeze() {
    signal("-STOP");
  }

  /** Lets its threads go on. */
  public void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    List<String> command = new ArrayList<>(List.of("kill", signal));
    process.ids().forEach(id -> command.add(Long.toString(id)));
    try {
      new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Sends SIGKILL, and returns when it is gone. */
  public void kill() {
    process.kill();
  }

  @Override
  public void close() {
    kill();
  }
}
