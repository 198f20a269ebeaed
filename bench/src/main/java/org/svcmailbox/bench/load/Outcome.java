package org.svcmailbox.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.svcmailbox.bench.figure.Samples;

/**
 * The result of a load.
 *
 * @param messages number sent, or received and acknowledged
 * @param seconds duration of the load
 * @param p50Millis median time of a request or transaction
 */
public record Outcome(
    long messages, double seconds, double p50Millis, double p95Millis, double p99Millis) {
  /**
   * Computes the percentiles.
   *
   * @param nanos time of each request
   */
  static Outcome of(long messages, double seconds, List<Long> nanos) {
    return new Outcome(
        messages,
        seconds,
        Samples.millis(nanos, 50),
        Samples.millis(nanos, 95),
        Samples.millis(nanos, 99));
  }

  /**
   * Reads a generator's {@link ResultLine}.
   *
   * @throws IllegalStateException if a request was refused or not answered
   */
  public static Outcome parse(String output) throws IOException {
    JsonNode result = ResultLine.parse(output);
    if (result.path("failed").asLong() > 0 || result.path("broken").asLong() > 0) {
      throw new IllegalStateException("not everything was done: " + result);
    }
    double seconds = result.path("micros").asDouble() / 1e6;
    return new Outcome(
        result.path("messages").asLong(),
        seconds,
        result.path("p50").asDouble() / 1e3,
        result.path("p95").asDouble() / 1e3,
        result.path("p99").asDouble() / 1e3);
  }

  /** The line that {@link #parse} reads. */
  public String print() {
    return ResultLine.PREFIX
        + "{\"messages\":%d,\"micros\":%.0f,\"p50\":%.1f,\"p95\":%.1f,\"p99\":%.1f}"
            .formatted(messages, seconds * 1e6, p50Millis * 1e3, p95Millis * 1e3, p99Millis * 1e3);
  }

  public double perSecond() {
    return messages / seconds;
  }
}
