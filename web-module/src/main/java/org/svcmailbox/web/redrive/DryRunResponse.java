package org.svcmailbox.web.redrive;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.redrive.RedriveService.JobRequest;
import org.svcmailbox.web.deadletter.ReasonCounts;

/** The number of letters that a job would process. */
record DryRunResponse(
    boolean dryRun,
    long total,
    Map<String, Long> byReason,
    @Nullable Long ttlMs,
    @Nullable String advice) {
  static DryRunResponse of(JobRequest request, Map<DeadLetterReason, Long> counts) {
    Duration ttl = request.ttl();
    return new DryRunResponse(
        true,
        counts.values().stream().mapToLong(count -> count).sum(),
        ReasonCounts.json(counts),
        ttl == null ? null : ttl.toMillis(),
        Advice.of(request.action(), ttl, counts));
  }
}
