package org.svcmailbox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** SEND of 1 KiB payloads, each under a key of its own, by wrk. */
final class SendLoad {
  private static final String RESULT = "RESULT ";
  private static final Duration SLACK = Duration.ofSeconds(30);

  private final LoadTarget target;
  private final Path work;
  private final Path script;
  private final String keys;
  private int runs;

  SendLoad(LoadTarget target, Path work) throws IOException {
    this(target, work, "");
  }

  /**
   * @param keys what its keys begin with, so that no other load of the same server has the same
   */
  SendLoad(LoadTarget target, Path work, String keys) throws IOException {
    this.target = target;
    this.keys = keys.replace(' ', '-');
    this.work = work;
    this.script = work.resolve("send.lua");
    try (InputStream in = SendLoad.class.getResourceAsStream("send.lua")) {
      if (in == null) {
        throw new IllegalStateException("send.lua is not packaged");
      }
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * What one load measured.
   *
   * @param perSecond answers, accepted or refused
   * @param refused answers that were no success
   * @param generatorCpu the generator's share of all cores' time
   */
  record Result(
      double perSecond, long refused, double p50Millis, double p99Millis, double generatorCpu) {}

  /**
   * Sends to a topic, or several with commas by turns, over so many connections, each waiting for
   * its answer.
   *
   * @throws IllegalStateException when a request was refused or got no answer
   */
  Result run(String topic, int connections, Duration lasting)
      throws IOException, InterruptedException {
    Result result = runOver(topic, connections, lasting);
    if (result.refused() > 0) {
      throw new IllegalStateException(result.refused() + " SENDs were refused");
    }
    return result;
  }

  /** As {@link #run}, where refusals are no failure. */
  Result runOver(String topic, int connections, Duration lasting)
      throws IOException, InterruptedException {
    String seconds = lasting.toSeconds() + "s";
    String prefix = keys + String.format("%04d", runs++);
    List<String> command =
        List.of(
            "wrk",
            "-t1",
            "-c" + connections,
            "-d" + seconds,
            "--timeout",
            "10s",
            "-s",
            script.toString(),
            target.server().toString(),
            "--",
            topic,
            prefix,
            LoadPayload.BASE64,
            target.token());
    Duration before = CpuClock.endedChildren();
    String output = Children.run(command, work.resolve("wrk.txt"), lasting.plus(SLACK));
    Duration cpu = CpuClock.endedChildren().minus(before);
    return result(output, cpu);
  }

  private static Result result(String output, Duration cpu) throws IOException {
    String line =
        output
            .lines()
            .filter(text -> text.startsWith(RESULT))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("wrk said nothing useful:\n" + output));
    JsonNode result = new ObjectMapper().readTree(line.substring(RESULT.length()));
    if (result.path("broken").asLong() > 0) {
      throw new IllegalStateException("not every SEND was answered: " + line);
    }
    double seconds = result.path("micros").asDouble() / 1e6;
    return new Result(
        result.path("requests").asDouble() / seconds,
        result.path("refused").asLong(),
        result.path("p50").asDouble() / 1e3,
        result.path("p99").asDouble() / 1e3,
        cpu.toNanos() / 1e9 / seconds / Runtime.getRuntime().availableProcessors());
  }
}
