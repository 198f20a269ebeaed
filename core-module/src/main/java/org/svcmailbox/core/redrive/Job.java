package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.util.Map;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.message.DeadLetterReason;

/** A job over dead letters before {@code end}, with its progress. */
public record Job(
    JobId id,
    JobSpec spec,
    LetterPosition end,
    Map<DeadLetterReason, Long> byReason,
    String startedBy,
    Instant startedAt,
    JobProgress progress) {
  public Job {
    byReason = Map.copyOf(byReason);
  }

  public Job with(JobProgress next) {
    return new Job(id, spec, end, byReason, startedBy, startedAt, next);
  }

  /** The number of letters selected at the start. */
  public long total() {
    return byReason.values().stream().mapToLong(count -> count).sum();
  }

  /**
   * Letters that others removed or that expired before the job reached them; 0 until it is done.
   */
  public long gone() {
    return progress.state() == JobState.DONE
        ? Math.max(0, total() - progress.done() - progress.failed())
        : 0;
  }
}
