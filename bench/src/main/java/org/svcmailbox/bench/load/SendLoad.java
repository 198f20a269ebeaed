package org.svcmailbox.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.machine.CpuClock;

/** SEND of 1 KiB payloads by {@code wrk}, each under a key of its own. */
public final class SendLoad {
  private static final String TIMEOUT = "10s";

  private final LoadTarget target;
  private final Wrk wrk;
  private final String keys;
  private int runs;

  public SendLoad(LoadTarget target, Path work) {
    this(target, work, "");
  }

  /**
   * @param keys prefix of all keys, unique among the loads of a server
   */
  public SendLoad(LoadTarget target, Path work, String keys) {
    this.target = target;
    this.keys = keys.replace(' ', '-');
    this.wrk = new Wrk(target.server(), work);
  }

  /**
   * The result of one load.
   *
   * @param perSecond answers a second, refusals included
   * @param refused number of answers other than 2xx
   * @param generatorCpu share of the generator in the time of all cores
   */
  public record Result(
      double perSecond, long refused, double p50Millis, double p99Millis, double generatorCpu) {}

  /**
   * Sends in a closed loop to a topic, or in turn to several separated by commas.
   *
   * @throws IllegalStateException if a request was refused or not answered
   */
  public Result run(String topic, int connections, Duration lasting)
      throws IOException, InterruptedException {
    Result result = runOver(topic, connections, lasting);
    if (result.refused() > 0) {
      throw new IllegalStateException(result.refused() + " SENDs were refused");
    }
    return result;
  }

  /** As {@link #run}, but counts refusals. */
  public Result runOver(String topic, int connections, Duration lasting)
      throws IOException, InterruptedException {
    String prefix = keys + String.format("%04d", runs++);
    List<String> arguments = List.of(topic, prefix, LoadPayload.BASE64, target.token());
    Duration before = CpuClock.endedChildren();
    String output = wrk.run("send.lua", connections, lasting, TIMEOUT, arguments);
    return result(output, CpuClock.endedChildren().minus(before));
  }

  private static Result result(String output, Duration cpu) throws IOException {
    JsonNode result = ResultLine.parse(output);
    if (result.path("broken").asLong() > 0) {
      throw new IllegalStateException("not every SEND was answered: " + result);
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
