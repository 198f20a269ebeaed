package org.svcmailbox.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;

/**
 * What a load came to.
 *
 * @param messages how many were sent, or received and acknowledged
 * @param seconds how long that took
 * @param p50Millis what half of the requests, or transactions, took at most
 */
record Outcome(
    long messages, double seconds, double p50Millis, double p95Millis, double p99Millis) {
  private static final String RESULT = "RESULT ";

  /** Of all times that were taken, in nanoseconds. */
  static Outcome of(long messages, double seconds, List<Long> nanos) {
    return new Outcome(
        messages,
        seconds,
        Samples.percentile(nanos, 50) / 1e6,
        Samples.percentile(nanos, 95) / 1e6,
        Samples.percentile(nanos, 99) / 1e6);
  }

  /**
   * Reads what a generator of ours printed.
   *
   * @throws IllegalStateException when a request was refused or not answered: errors are no figures
   */
  static Outcome parse(String output) throws IOException {
    String line =
        output
            .lines()
            .filter(text -> text.startsWith(RESULT))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("the generator said:\n" + output));
    JsonNode result = new ObjectMapper().readTree(line.substring(RESULT.length()));
    if (result.path("failed").asLong() > 0 || result.path("broken").asLong() > 0) {
      throw new IllegalStateException("not everything was done: " + line);
    }
    double seconds = result.path("micros").asDouble() / 1e6;
    return new Outcome(
        result.path("messages").asLong(),
        seconds,
        result.path("p50").asDouble() / 1e3,
        result.path("p95").asDouble() / 1e3,
        result.path("p99").asDouble() / 1e3);
  }

  /** The reverse of {@link #parse}. */
  String print() {
    return RESULT
        + "{\"messages\":%d,\"micros\":%.0f,\"p50\":%.1f,\"p95\":%.1f,\"p99\":%.1f}"
            .formatted(messages, seconds * 1e6, p50Millis * 1e3, p95Millis * 1e3, p99Millis * 1e3);
  }

  double perSecond() {
    return messages / seconds;
  }
}
