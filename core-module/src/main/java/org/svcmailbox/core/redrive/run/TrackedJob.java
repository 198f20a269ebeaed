package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Set;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobError;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.core.redrive.PendingAction;

/**
 * An unfinished job in memory, and its row in the store. Counts and position are ahead of the row
 * until the next save. Any thread reads; one thread at a time writes.
 */
final class TrackedJob {
  private static final Logger LOG = System.getLogger(TrackedJob.class.getName());

  private final JobStore store;
  private final JobPermits permits;
  private final InstantSource wall;
  private volatile Job job;

  /** Whether the row names letters that did not move. */
  private boolean isRowStale;

  TrackedJob(Job job, JobStore store, JobPermits permits, InstantSource wall) {
    this.job = job;
    this.store = store;
    this.permits = permits;
    this.wall = wall;
  }

  Job current() {
    return job;
  }

  JobProgress progress() {
    return job.progress();
  }

  TopicName topic() {
    return job.spec().topic();
  }

  void savePending(PendingAction pending) {
    Job changed = job.with(progress().withPending(pending, now()));
    store.save(changed);
    saved(changed);
  }

  private void save(Job changed, AuditEntry entry) {
    store.save(changed, entry);
    saved(changed);
  }

  private void saved(Job changed) {
    job = changed;
    isRowStale = false;
  }

  /** Ends the pending action in memory. */
  void countMoved(Set<LetterPosition> moved) {
    isRowStale |= !moved.containsAll(progress().pending().positions());
    job = job.with(progress().withMoved(moved.size(), now()));
  }

  /**
   * Saves the row if it names letters that stayed. Otherwise a recovery would count their move by
   * others.
   */
  void saveIfStale() {
    if (isRowStale) {
      store.save(job);
      isRowStale = false;
    }
  }

  /** Advances in memory. */
  void advance(LetterPosition reached, Collection<JobError> errors) {
    job = job.with(progress().withReached(reached, errors, now()));
  }

  void saveState(JobState state, AuditEntry entry) {
    Job changed = job.with(progress().withState(state, now()));
    if (state == JobState.RUNNING && changed.isHeld()) {
      changed = changed.withoutFirst();
    }
    // Before the row, because a job that an operator stopped must not continue, whatever row a
    // start finds.
    permits.follow(changed);
    save(changed, entry);
  }

  void saveRate(int rate, AuditEntry entry) {
    save(job.withRate(rate), entry);
  }

  /** Pauses the job after its first letters. */
  void saveHold() {
    Job held = job.with(progress().withState(JobState.PAUSED, now()));
    String note = "after its first " + held.spec().first() + "; " + JobNotes.progress(held);
    saveByService(held, "dlq.job.pause", note);
  }

  void saveDone() {
    saveEnd(progress().withState(JobState.DONE, now()));
  }

  void saveFailure(String why) {
    saveEnd(progress().withFailure(why, now()));
  }

  private void saveEnd(JobProgress last) {
    Job ended = job.with(last);
    saveByService(ended, "dlq.job.end", JobNotes.end(ended));
    permits.release(ended);
  }

  private void saveByService(Job changed, String action, String note) {
    String id = changed.id().value();
    save(changed, new AuditEntry(now(), Actor.SERVICE, "", action, id, note));
    LOG.log(
        Level.INFO,
        "Job {0}, {1} of {2}: {3}",
        id,
        changed.spec().action().text(),
        changed.spec().topic(),
        note);
  }

  private Instant now() {
    return wall.instant();
  }
}
