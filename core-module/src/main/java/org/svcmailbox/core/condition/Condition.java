package org.svcmailbox.core.condition;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * A condition that fires.
 *
 * @param since when it began to hold, which may be before it fired
 * @param topic null unless it is about one topic
 * @param subject the part, bound, reason or cause that it is about; empty for none
 * @param value in the unit of its kind; null for a part
 */
public record Condition(
    ConditionKind kind,
    Instant since,
    @Nullable TopicName topic,
    String subject,
    @Nullable Double value) {

  private static final String LEASES = "who-has-all-the-leases";

  /** Bounds with a section of their own. */
  static final Map<String, String> OF_BOUNDS =
      Map.of(
          "global_inflight",
          LEASES,
          "global_inflight_bytes",
          LEASES,
          "dedup_capacity",
          "deduplication-table",
          "ledger_bytes",
          "ledger");

  /** The document and its section that say what to do. */
  public String runbook() {
    String section =
        kind == ConditionKind.BOUND_SATURATED
            ? OF_BOUNDS.getOrDefault(subject, kind.section())
            : kind.section();
    return "OPERATIONS.md#" + section;
  }
}
