package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.Place;

/**
 * How far a job has come.
 *
 * @param reached every letter up to here is dealt with
 * @param underWay what it was about to move; only after a crash is that not known to be over
 * @param done letters that were moved or discarded
 * @param failed letters that it left where they were
 * @param errors why, for the first of them, at most {@value #MAX_ERRORS}
 * @param updatedAt wall clock
 * @param finishedAt when it was over, null before
 * @param ending why it is over, where its state does not say
 */
public record JobProgress(
    JobState state,
    Place reached,
    UnderWay underWay,
    long done,
    long failed,
    List<JobError> errors,
    Instant updatedAt,
    @Nullable Instant finishedAt,
    @Nullable String ending) {
  /** The most errors that are kept. */
  public static final int MAX_ERRORS = 100;

  public JobProgress {
    errors = List.copyOf(errors);
  }

  /** Of a job that begins now. */
  static JobProgress beginning(Instant now) {
    return new JobProgress(
        JobState.RUNNING, Place.FIRST, UnderWay.NOTHING, 0, 0, List.of(), now, null, null);
  }

  JobProgress in(JobState next, Instant now) {
    return new JobProgress(
        next, reached, underWay, done, failed, errors, now, next.isOver() ? now : null, null);
  }

  JobProgress failed(String why, Instant now) {
    return new JobProgress(JobState.FAILED, reached, underWay, done, failed, errors, now, now, why);
  }

  JobProgress about(UnderWay next, Instant now) {
    return new JobProgress(state, reached, next, done, failed, errors, now, finishedAt, ending);
  }

  /** What was under way is over, and so many of it were moved. */
  JobProgress settled(int moved, Instant now) {
    return new JobProgress(
        state, reached, UnderWay.NOTHING, done + moved, failed, errors, now, finishedAt, ending);
  }

  /** Every letter up to {@code place} is dealt with, some of them not as they should. */
  JobProgress upTo(Place place, Collection<JobError> more, Instant now) {
    List<JobError> all = new ArrayList<>(errors);
    more.stream().limit(MAX_ERRORS - errors.size()).forEach(all::add);
    return new JobProgress(
        state, place, underWay, done, failed + more.size(), all, now, finishedAt, ending);
  }
}
