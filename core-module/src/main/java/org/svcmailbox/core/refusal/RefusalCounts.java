package org.svcmailbox.core.refusal;

import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tally;
import org.svcmailbox.core.problem.Problem;

/**
 * Counts refusals by reason and by endpoint, at the point where they are answered. A count
 * elsewhere would differ, because a full queue may not end in a refusal, and a refusal may have
 * another cause. Any thread.
 */
public final class RefusalCounts implements MetricSource {
  /** Reasons to export from the start, at 0; others appear on first use. */
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
          "dlq_jobs_unfinished",
          "disk_reserve",
          "disk_share",
          "disk_failed");

  private final Tally byReason = new Tally(Family.REJECTED_TOTAL, KNOWN);
  private final Tally busyByEndpoint;

  /**
   * @param endpoints to export from the start, at 0
   */
  public RefusalCounts(List<String> endpoints) {
    this.busyByEndpoint = new Tally(Family.BUSY_REJECTIONS_TOTAL, endpoints);
  }

  /**
   * Counts a refusal.
   *
   * @param endpoint a constant
   */
  public void count(ProblemReport problem, String endpoint) {
    String reason = reason(problem);
    if (!reason.isEmpty()) {
      byReason.count(reason);
    }
    if (problem.code().retryable()) {
      busyByEndpoint.count(endpoint);
    }
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> all = new ArrayList<>(byReason.metrics());
    all.addAll(busyByEndpoint.metrics());
    return all;
  }

  /** Returns a constant; empty if the problem is not a refusal. */
  static String reason(ProblemReport problem) {
    return switch (problem.code()) {
      case E_SCHEMA -> "schema";
      case E_FRAME_TOO_LARGE -> "frame_too_large";
      case E_CAP_AUTH, E_CAP_SCOPE, E_SATURATED, E_UNAVAILABLE ->
          problem.more().get(ProblemReport.REASON) instanceof String said
              ? said
              : defaultReason(problem.code());
      case E_INTEGRITY -> "payload_hash";
      case E_NOT_FOUND, E_DUPLICATE, E_RECEIPT, E_PRECONDITION, E_INTERNAL -> "";
    };
  }

  private static String defaultReason(Problem code) {
    return switch (code) {
      case E_UNAVAILABLE -> "unavailable";
      default -> Tally.OTHER;
    };
  }
}
