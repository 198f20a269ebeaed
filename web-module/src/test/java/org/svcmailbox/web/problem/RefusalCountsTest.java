package org.svcmailbox.web.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.ws.rs.NotAllowedException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tally;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.refusal.RefusalCounts;
import org.svcmailbox.web.trace.Correlation;

class RefusalCountsTest {
  private static final Call SEND = new Call("POST", "/v1/send", Correlation.fresh(), "192.0.2.1");
  private static final String SENT = Endpoints.of("/v1/send");
  private static final Duration SOON = Duration.ofSeconds(1);

  private final RefusalCounts refusals = new RefusalCounts(Endpoints.NAMED);

  private static Map<String, Double> told(MetricSource source) {
    Map<String, Double> told = new TreeMap<>();
    source
        .metrics()
        .forEach(metric -> told.put(metric.family().text() + metric.tags(), metric.now()));
    return told;
  }

  /** Returns the counters that rose, and by how much. */
  private static Map<String, Double> risen(MetricSource source, Runnable task) {
    Map<String, Double> before = told(source);
    task.run();
    return told(source).entrySet().stream()
        .filter(now -> !now.getValue().equals(before.getOrDefault(now.getKey(), 0.0)))
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, now -> now.getValue() - before.getOrDefault(now.getKey(), 0.0)));
  }

  @Test
  void aRefusalCountsOnceByReasonAndABusyOneByEndpointToo() {
    ProblemBody full = Problems.refused(Refusal.saturated("shard_capacity", "full", SOON));
    assertEquals(
        Map.of(
            "rejected_total{reason=shard_capacity}", 1.0,
            "busy_rejections_total{endpoint=send}", 1.0),
        risen(refusals, () -> refusals.count(full.report(), SENT)));
    assertEquals(
        Map.of("rejected_total{reason=schema}", 1.0),
        risen(
            refusals,
            () -> refusals.count(Problems.of(new SchemaException("topic", "no")).report(), SENT)));
  }

  @Test
  void theFunnelCountsEachFailureOnceWhicheverWayItCame() {
    Function<Throwable, Map<String, Double>> thrown =
        failure -> risen(Funnel.refusals(), () -> Funnel.thrown(failure, SEND));
    assertEquals(
        Map.of("rejected_total{reason=frame_too_large}", 1.0),
        thrown.apply(new FrameTooLargeException("payload", 1)));
    assertEquals(
        Map.of(
            "rejected_total{reason=topics_max}", 1.0,
            "busy_rejections_total{endpoint=send}", 1.0),
        thrown.apply(new SaturatedException("topics_max", "full", SOON)));
    assertEquals(
        Map.of(
            "rejected_total{reason=unavailable}", 1.0,
            "busy_rejections_total{endpoint=send}", 1.0),
        thrown.apply(new UnavailableException("away")));
    assertEquals(
        Map.of("rejected_total{reason=schema}", 1.0), thrown.apply(new NotAllowedException("GET")));
    assertEquals(Map.of(), thrown.apply(new NotFoundException("there is none")));
    assertEquals(Map.of(), thrown.apply(new IllegalStateException("ours")));
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/send, send",
    "/v1/send/batch, send_batch",
    "/v1/recv, recv",
    "/v1/ack, ack",
    "/v1/ack/batch, ack_batch",
    "/v1/nack, nack",
    "/v1/extend, extend",
    "/v1/topics, topics",
    "/v1/topics/secret, topics",
    "/v1/dlq/secret, dlq",
    "/v1/jobs, jobs",
    "/v1/jobs/secret/pause, jobs",
    "/v1/capabilities/revoke, capabilities",
    "/v1/audit, audit",
    "/v1/events, events",
    "/v1/audit/secret, other",
    "/v1/topicsx, other",
    "/v1/send/secret, other",
    "/v1/, other",
    "/v1, other",
    "/secret, other"
  })
  void anEndpointIsNamedByItsTemplateAndNeverByTheClientsPath(String path, String endpoint) {
    assertEquals(endpoint, Endpoints.of(path));
  }

  @Test
  void reasonsStayBounded() {
    for (int i = 0; i < 1000; i++) {
      refusals.count(
          Problems.refused(Refusal.saturated("reason" + i, "full", SOON)).report(), SENT);
    }
    Map<String, Double> told = told(refusals);
    assertTrue(
        told.keySet().stream().filter(name -> name.startsWith("rejected_total")).count()
            <= Tally.MOST_VALUES + 1);
    assertTrue(told.getOrDefault("rejected_total{reason=other}", 0.0) > 0);
  }
}
