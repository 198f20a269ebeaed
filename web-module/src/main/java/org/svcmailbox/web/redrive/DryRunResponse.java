package org.svcmailbox.web.redrive;

import java.util.Map;
import org.svcmailbox.core.message.DeadLetterReason;

/** The number of letters that a job would process. */
record DryRunResponse(boolean dryRun, long total, Map<String, Long> byReason) {
  static DryRunResponse of(Map<DeadLetterReason, Long> counts) {
    long total = counts.values().stream().mapToLong(count -> count).sum();
    return new DryRunResponse(true, total, JobResponse.counts(counts));
  }
}
