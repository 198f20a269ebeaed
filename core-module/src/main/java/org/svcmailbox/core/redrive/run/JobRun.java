package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.PendingAction;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.core.redrive.action.ActionResult;
import org.svcmailbox.core.redrive.action.RedriveInPlace;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Topic;

/**
 * Runs one job in turns: pick letters of one queue, run their action, count, advance. One thread at
 * a time; {@link #status} never waits.
 */
final class JobRun {
  private static final Logger LOG = System.getLogger(JobRun.class.getName());
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final TrackedJob job;
  private final BatchPicker picker;
  private final ActionRunner runner;
  private final LetterBookkeeping letters;
  private final RedriveTarget target;
  private final Ticker ticker;
  private final BatchReview review = new BatchReview();
  private volatile @Nullable String waitingFor;
  private boolean inDoubt = true;

  JobRun(
      TrackedJob job,
      BatchPicker picker,
      LetterBookkeeping letters,
      RedriveTarget target,
      Ticker ticker) {
    this.job = job;
    this.picker = picker;
    this.runner = new ActionRunner(job, target);
    this.letters = letters;
    this.target = target;
    this.ticker = ticker;
  }

  boolean isRunning() {
    return job.current().progress().state() == JobState.RUNNING;
  }

  RedriveService.Status status() {
    Job now = job.current();
    return now.progress().state() == JobState.RUNNING
        ? new RedriveService.Status(now, waitingFor)
        : RedriveService.Status.idle(now);
  }

  /**
   * Finds out which letters a pending action has moved, and saves a row without the others. Returns
   * false if that failed, for instance while the action's transaction may be open. Until then no
   * other job may move letters, or this one would count them.
   */
  synchronized boolean resolve() {
    try {
      resolveDoubt();
      return true;
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, () -> "Job " + job.current().id() + " is in doubt", e);
      waitingFor = String.valueOf(e.getMessage());
      return false;
    }
  }

  /** Changes the state of an unfinished job; on disk with its audit entry on return. */
  synchronized void become(JobState state, AuditEntry entry) {
    resolveDoubt();
    JobState current = job.progress().state();
    if (!current.isOver() && current != state) {
      job.saveState(state, entry);
    }
  }

  /** Changes the rate of an unfinished job; on disk with its audit entry on return. */
  synchronized void setRate(int rate, AuditEntry entry) {
    resolveDoubt();
    if (!job.progress().state().isOver() && job.current().spec().rate() != rate) {
      job.saveRate(rate, entry);
    }
  }

  synchronized void fail(String why) {
    job.saveFailure(why);
  }

  /** Moves some letters; returns the delay until the next turn, if there is one. */
  synchronized Optional<Duration> turn() {
    if (job.progress().state() != JobState.RUNNING) {
      return Optional.empty();
    }
    long begun = ticker.nanos();
    try {
      waitingFor = null;
      return step().map(pace -> remaining(pace, begun));
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, () -> "Job " + job.current().id() + " waits", e);
      inDoubt = true;
      return retry(String.valueOf(e.getMessage()));
    } catch (Error e) {
      // This thread ends, and the next one must find out which letters were moved.
      inDoubt = true;
      throw e;
    }
  }

  private Duration remaining(Duration pace, long begun) {
    Duration left = pace.minusNanos(ticker.nanos() - begun);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private Optional<Duration> retry(String why) {
    waitingFor = why;
    return Optional.of(RETRY);
  }

  private Optional<Duration> step() {
    Optional<Topic> topic = target.topic(job.topic());
    if (topic.isEmpty()) {
      job.saveFailure("the topic is gone");
      return Optional.empty();
    }
    if (job.current().spec().selection() instanceof Selection.Matching matching
        && matching.filter().isOutdated()) {
      job.saveFailure("an update changed the fingerprints of error groups; start a new job");
      return Optional.empty();
    }
    Optional<LetterBatch> next = picker.next(job.current(), topic.get());
    if (next.isEmpty()) {
      job.saveDone();
      return Optional.empty();
    }
    if (job.current().isHeld()) {
      job.saveHold();
      return Optional.empty();
    }
    LetterBatch batch = next.get();
    if (batch.action() instanceof RedriveInPlace && !target.hasRoom(topic.get(), batch.size())) {
      return retry(
          "the topic holds as much as retention_ready_count and retention_ready_bytes allow");
    }
    ActionResult result = runner.run(batch, topic.get());
    countMoved(result.moved());
    return conclude(batch, result);
  }

  private void countMoved(Set<LetterPosition> moved) {
    job.countMoved(moved);
    letters.moved(job.current().spec(), moved);
  }

  private Optional<Duration> conclude(LetterBatch batch, ActionResult result) {
    BatchReview.ReviewedBatch verdict =
        review.review(
            job.progress().reached(),
            batch,
            result,
            () -> letters.queued(job.topic(), batch.segment()));
    letters.concluded(verdict);
    job.advance(verdict.reached(), verdict.errors());
    return verdict.waitingFor() == null
        ? Optional.of(job.current().spec().pace(batch.size()))
        : retry(verdict.waitingFor());
  }

  private void resolveDoubt() {
    if (inDoubt) {
      countPending();
      inDoubt = false;
    }
    job.saveIfStale();
  }

  private void countPending() {
    PendingAction pending = job.progress().pending();
    if (!pending.positions().isEmpty()) {
      target.requireResolved();
      Set<LetterPosition> moved = new HashSet<>(pending.positions());
      moved.removeAll(letters.resolved(job.topic(), pending.segment()));
      countMoved(moved);
      target.topic(job.topic()).ifPresent(topic -> target.arrived(topic.shards()));
    }
  }
}
