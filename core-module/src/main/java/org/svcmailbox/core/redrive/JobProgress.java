package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterPosition;

/**
 * The progress of a job. Letters up to {@code reached} are finished; after a crash the outcome of
 * {@code pending} is unknown.
 *
 * @param ending why it failed, or why the service paused it; null for neither
 */
public record JobProgress(
    JobState state,
    LetterPosition reached,
    PendingAction pending,
    long done,
    long failed,
    List<JobError> errors,
    Instant updatedAt,
    @Nullable Instant finishedAt,
    @Nullable String ending) {
  public static final int MAX_ERRORS = 100;

  public JobProgress {
    errors = List.copyOf(errors);
  }

  public static JobProgress initial(Instant now) {
    return new JobProgress(
        JobState.RUNNING,
        LetterPosition.FIRST,
        PendingAction.NONE,
        0,
        0,
        List.of(),
        now,
        null,
        null);
  }

  public JobProgress withState(JobState next, Instant now) {
    return new JobProgress(
        next, reached, pending, done, failed, errors, now, next.isOver() ? now : null, null);
  }

  public JobProgress withFailure(String why, Instant now) {
    return new JobProgress(JobState.FAILED, reached, pending, done, failed, errors, now, now, why);
  }

  /** The progress after the service has paused the job. */
  public JobProgress withPause(String why, Instant now) {
    return new JobProgress(JobState.PAUSED, reached, pending, done, failed, errors, now, null, why);
  }

  public JobProgress withPending(PendingAction next, Instant now) {
    return new JobProgress(state, reached, next, done, failed, errors, now, finishedAt, ending);
  }

  public JobProgress withMoved(int moved, Instant now) {
    return new JobProgress(
        state, reached, PendingAction.NONE, done + moved, failed, errors, now, finishedAt, ending);
  }

  public JobProgress withReached(LetterPosition position, Collection<JobError> more, Instant now) {
    List<JobError> all = new ArrayList<>(errors);
    more.stream().limit(MAX_ERRORS - errors.size()).forEach(all::add);
    return new JobProgress(
        state, position, pending, done, failed + more.size(), all, now, finishedAt, ending);
  }
}
