package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.core.redrive.RedriveService.Status;

/** Finds jobs: unfinished ones in the schedule, finished ones in the store. */
record JobDirectory(
    JobSchedule schedule,
    JobStore store,
    JobPermits permits,
    UnansweredStarts unanswered,
    InstantSource wall) {
  private static final Logger LOG = System.getLogger(JobDirectory.class.getName());

  private static final String STOPPED =
      "the database fell back to a time before this job was paused, cancelled or done;"
          + " resume it or cancel it";

  /**
   * Continues the jobs of an earlier process. A discarding job that was stopped after its row was
   * written is paused, because the database is older.
   */
  void load() {
    List<Job> unfinished = store.unfinished();
    Set<JobId> stopped = permits.stopped(unfinished);
    permits.keep(unfinished);
    for (Job job : unfinished) {
      if (stopped.contains(job.id())) {
        pause(job);
      } else {
        resume(job);
      }
    }
  }

  /**
   * Adopts stored jobs that this process does not run. It continues a job that was stored although
   * its caller was told of a failure. Any other one was already over when the database fell back,
   * and is paused.
   */
  void adopt() {
    store.unfinished().stream()
        .filter(job -> schedule.find(job.id()) == null)
        // Read again, because a job that ends meanwhile is stored before it leaves the schedule.
        .flatMap(job -> store.find(job.id()).stream())
        .filter(job -> !job.progress().state().isOver())
        .forEach(this::adopt);
  }

  private void adopt(Job job) {
    if (unanswered.remove(job.id())) {
      resume(job);
    } else {
      pause(job);
    }
  }

  private void resume(Job job) {
    LOG.log(Level.INFO, "Job {0} continues: {1}", job.id(), job.progress().state().text());
    JobRun unused = schedule.add(job);
  }

  private void pause(Job job) {
    Instant now = wall.instant();
    Job paused = job.with(job.progress().withPause(STOPPED, now));
    store.save(
        paused, new AuditEntry(now, Actor.SERVICE, "", "dlq.job.pause", job.id().value(), STOPPED));
    LOG.log(Level.WARNING, "Job {0} is paused: {1}", job.id(), STOPPED);
    JobRun unused = schedule.add(paused);
  }

  Status find(JobId id) {
    JobRun run = schedule.find(id);
    return run != null
        ? run.status()
        : store
            .find(id)
            .map(Status::idle)
            .orElseThrow(() -> new NotFoundException("there is no job " + id));
  }

  List<Status> list(@Nullable TopicName topic, int limit) {
    return store.list(topic, limit).stream().map(this::current).toList();
  }

  private Status current(Job stored) {
    JobRun run = schedule.find(stored.id());
    return run == null ? Status.idle(stored) : run.status();
  }

  /** Whether this process runs the job. */
  boolean isScheduled(JobId id) {
    return schedule.find(id) != null;
  }

  /** Changes the rate of a job; a finished one stays as it is. */
  Status rate(JobId id, int rate, AuditEntry entry) {
    JobRun run = schedule.find(id);
    if (run == null) {
      return find(id);
    }
    run.setRate(rate, entry);
    return run.status();
  }

  /** Changes the state of a job; a finished one stays as it is. */
  Status change(JobId id, JobState state, AuditEntry entry) {
    JobRun run = schedule.find(id);
    if (run == null) {
      return find(id);
    }
    run.become(state, entry);
    schedule.update(run);
    return run.status();
  }
}
