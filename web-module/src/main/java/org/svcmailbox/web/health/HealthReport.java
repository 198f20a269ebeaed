package org.svcmailbox.web.health;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.json.Json;

/**
 * The combined result of health checks, in MicroProfile Health's JSON.
 *
 * @param status UP when every check that counts is UP
 * @param checks each check's result
 */
record HealthReport(Status status, List<Entry> checks) {
  private static final Logger LOG = System.getLogger(HealthReport.class.getName());

  record Entry(String name, Status status, @Nullable Map<String, Object> data) {}

  /**
   * Runs every check.
   *
   * @param counts selects the checks that decide the status; the others are only shown
   */
  static HealthReport of(
      Iterable<? extends HealthCheck> checks, Predicate<HealthCheckResponse> counts) {
    List<HealthCheckResponse> answers =
        StreamSupport.stream(checks.spliterator(), false).map(HealthReport::ask).toList();
    boolean isUp =
        answers.stream().filter(counts).allMatch(answer -> answer.getStatus() == Status.UP);
    return new HealthReport(
        isUp ? Status.UP : Status.DOWN, answers.stream().map(HealthReport::entry).toList());
  }

  private static HealthCheckResponse ask(HealthCheck check) {
    try {
      return check.call();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "A health check failed", e);
      return new HealthCheckResponse("failed-check", Status.DOWN, Optional.empty());
    }
  }

  private static Entry entry(HealthCheckResponse answer) {
    return new Entry(answer.getName(), answer.getStatus(), answer.getData().orElse(null));
  }

  boolean isUp() {
    return status == Status.UP;
  }

  byte[] json() {
    return Json.bytes(this);
  }
}
