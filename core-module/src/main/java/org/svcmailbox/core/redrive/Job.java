package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.message.DeadLetterReason;

/**
 * A job over dead letters before {@code end}, with its progress.
 *
 * @param patterns error texts of its letters, largest groups first; at most {@link #MAX_PATTERNS}
 */
public record Job(
    JobId id,
    JobSpec spec,
    LetterPosition end,
    Map<DeadLetterReason, Long> byReason,
    List<String> patterns,
    Actor startedBy,
    Instant startedAt,
    JobProgress progress) {
  /** As many as a filter can name groups. */
  public static final int MAX_PATTERNS = LetterFilter.MOST_FINGERPRINTS;

  public Job {
    byReason = Map.copyOf(byReason);
    patterns = List.copyOf(patterns);
  }

  public Job with(JobProgress next) {
    return new Job(id, spec, end, byReason, patterns, startedBy, startedAt, next);
  }

  public Job withRate(int rate) {
    return with(spec.withRate(rate));
  }

  /** The job without its pause after the first letters. */
  public Job withoutFirst() {
    return with(spec.withoutFirst());
  }

  private Job with(JobSpec next) {
    return new Job(id, next, end, byReason, patterns, startedBy, startedAt, progress);
  }

  /** Whether the first letters are moved, and the rest waits for somebody to resume the job. */
  public boolean isHeld() {
    Integer first = spec.first();
    return first != null && handled() >= first;
  }

  /** As many of {@code letters} as it takes before it is held; at least one. */
  public int untilHeld(int letters) {
    Integer first = spec.first();
    return first == null ? letters : (int) Math.min(letters, Math.max(1, first - handled()));
  }

  /** The letters that it has moved or failed to move. */
  public long handled() {
    return progress.done() + progress.failed();
  }

  /** The letters ahead of it, including those that are gone; 0 once it is over. */
  public long left() {
    return progress.state().isOver() ? 0 : Math.max(0, total() - handled());
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
