package org.svcmailbox.console.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals are counted as METRICS.md documents. */
class ConsoleRefusalsTest {
  private static final String BUSY = "busy_rejections_total{endpoint=console}";

  private final ConsoleRefusals refusals = new ConsoleRefusals();

  private static <T> T stub(Class<T> type, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> answer));
  }

  private Map<String, Double> answered(int status) throws IOException, ServletException {
    refusals.doFilter(
        stub(HttpServletRequest.class, ""),
        stub(HttpServletResponse.class, status),
        (request, response) -> {});
    Map<String, Double> counts = new TreeMap<>();
    refusals
        .metrics()
        .forEach(metric -> counts.put(metric.family().text() + metric.tags(), metric.now()));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  @ParameterizedTest
  @CsvSource({
    "401, console_session",
    "403, console_sign_in",
    "405, schema",
    "502, console_provider"
  })
  void aRefusalCountsByItsReason(int status, String reason) throws Exception {
    assertEquals(Map.of("rejected_total{reason=" + reason + "}", 1.0), answered(status));
  }

  @ParameterizedTest
  @CsvSource({"429, console_sign_in_rate", "503, unavailable"})
  void aTemporaryRefusalAlsoCountsAsBusy(int status, String reason) throws Exception {
    assertEquals(Map.of("rejected_total{reason=" + reason + "}", 1.0, BUSY, 1.0), answered(status));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 303, 304, 404})
  void otherStatusesAreNotCounted(int status) throws Exception {
    assertEquals(Map.of(), answered(status));
  }

  @Test
  void everyReasonIsReportedFromTheStart() {
    assertEquals(7, refusals.metrics().size());
  }
}
