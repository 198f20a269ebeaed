package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.util.Map;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.DeadLetterReason;

/**
 * A job with everything that is kept of it.
 *
 * @param end only letters in front of this place: those that were there when it was made
 * @param byReason how many letters it was about then
 * @param startedBy whose capability, as the audit has it
 * @param startedAt wall clock
 */
public record Job(
    JobId id,
    JobOrder order,
    Place end,
    Map<DeadLetterReason, Long> byReason,
    String startedBy,
    Instant startedAt,
    JobProgress progress) {
  public Job {
    byReason = Map.copyOf(byReason);
  }

  Job with(JobProgress next) {
    return new Job(id, order, end, byReason, startedBy, startedAt, next);
  }

  /** How many letters it was about when it was made. */
  public long total() {
    return byReason.values().stream().mapToLong(count -> count).sum();
  }

  /**
   * Letters that were gone before the job came to them: others have dealt with them, or their
   * retention was over. Known when it is done.
   */
  public long gone() {
    return progress.state() == JobState.DONE
        ? Math.max(0, total() - progress.done() - progress.failed())
        : 0;
  }
}
