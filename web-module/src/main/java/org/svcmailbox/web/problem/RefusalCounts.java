package org.svcmailbox.web.problem;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tally;
import org.svcmailbox.core.problem.Problem;

/**
 * How much was refused, by reason and by door. Counted where a refusal is answered and nowhere
 * else: not every time that a bound is found full ends in one, and not every one comes from a
 * bound. Any thread.
 */
final class RefusalCounts implements MetricSource {
  /**
   * Those that cannot be read from a problem or are worth showing as 0; the rest comes by itself.
   */
  private static final List<String> KNOWN =
      List.of(
          "schema",
          "frame_too_large",
          "unavailable",
          "missing",
          "invalid",
          "expired",
          "revoked",
          "topic",
          "operation",
          "global_inflight",
          "global_inflight_bytes",
          "dedup_capacity",
          "max_waiting",
          "pending_bytes",
          "worker_inbox",
          "shard_capacity",
          "topics_max",
          "dlq_jobs",
          "disk_reserve",
          "disk_failed");

  private final Tally byReason = new Tally(Family.REJECTED_TOTAL, KNOWN);
  private final Tally busyByEndpoint = new Tally(Family.BUSY_REJECTIONS_TOTAL, Endpoints.NAMED);

  /** Counts a problem if it is a refusal. */
  void count(ProblemBody problem, Call call) {
    String reason = reason(problem);
    if (!reason.isEmpty()) {
      byReason.count(reason);
    }
    if (problem.code().retryable()) {
      busyByEndpoint.count(Endpoints.of(call.path()));
    }
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(byReason.metrics());
    all.addAll(busyByEndpoint.metrics());
    return all;
  }

  /** A constant of the code, empty when the problem is no refusal. */
  static String reason(ProblemBody problem) {
    return switch (problem.code()) {
      case E_SCHEMA -> "schema";
      case E_FRAME_TOO_LARGE -> "frame_too_large";
      case E_CAP_AUTH, E_CAP_SCOPE, E_SATURATED, E_UNAVAILABLE ->
          problem.more().get(ProblemBody.REASON) instanceof String said
              ? said
              : defaultReason(problem.code());
      case E_INTEGRITY -> "payload_hash";
      case E_NOT_FOUND, E_DUPLICATE, E_RECEIPT, E_INTERNAL -> "";
    };
  }

  private static String defaultReason(Problem code) {
    return switch (code) {
      case E_UNAVAILABLE -> "unavailable";
      default -> Tally.OTHER;
    };
  }
}
