package org.svcmailbox.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A shell command that processes one message, whose body is its input. Both its output streams go
 * to the error stream. Closing ends it, with what it started, if it is still running.
 */
final class ShellCommand implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration DRAIN = Duration.ofSeconds(1);

  private final Process process;
  private final StreamCopy output;
  private final StreamCopy errors;

  private ShellCommand(Process process, Surroundings surroundings) {
    this.process = process;
    output = StreamCopy.begin(process.getInputStream(), surroundings.err());
    errors = StreamCopy.begin(process.getErrorStream(), surroundings.err());
  }

  /**
   * Starts the command.
   *
   * @throws IOException if the system cannot start it
   */
  static ShellCommand start(String command, JsonNode message, Surroundings surroundings)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command);
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(surroundings.environment());
    for (String prefix : Surroundings.PREFIXES) {
      environment.put(prefix + "TOPIC", message.path("topic").asText());
      environment.put(prefix + "MSG_ID", message.path("msg_id").asText());
      environment.put(prefix + "ATTEMPT", message.path("attempt").asText());
      environment.put(prefix + "MESSAGE", withoutBody(message));
    }
    ShellCommand running = new ShellCommand(builder.start(), surroundings);
    running.feed(Envelopes.payload(message));
    return running;
  }

  private static String withoutBody(JsonNode message) {
    ObjectNode fields = message.deepCopy();
    return fields.without(List.of("payload", "receipt")).toString();
  }

  /** A command may end without reading its input, which is not a failure. */
  private void feed(byte[] body) {
    Thread feeder =
        new Thread(
            () -> {
              try (OutputStream in = process.getOutputStream()) {
                in.write(body);
              } catch (IOException e) {
                return;
              }
            },
            "feed");
    feeder.setDaemon(true);
    feeder.start();
  }

  boolean hasEndedWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Waits for its exit code and for the copy of its output. */
  int exitCode() throws InterruptedException {
    output.awaitEnd(DRAIN);
    errors.awaitEnd(DRAIN);
    return process.exitValue();
  }

  /** The last line of the error stream that is not blank. */
  Optional<String> lastError() {
    return errors.lastLine();
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      List<ProcessHandle> started = process.descendants().toList();
      started.forEach(ProcessHandle::destroy);
      process.destroy();
      if (!hasEnded()) {
        started.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private boolean hasEnded() {
    try {
      return hasEndedWithin(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
