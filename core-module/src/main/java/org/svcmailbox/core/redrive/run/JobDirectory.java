package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobId;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.core.redrive.RedriveService.Status;

/** Finds jobs: unfinished ones in the schedule, finished ones in the store. */
record JobDirectory(JobSchedule schedule, JobStore store) {
  private static final Logger LOG = System.getLogger(JobDirectory.class.getName());

  void load() {
    store.unfinished().stream()
        .filter(job -> schedule.find(job.id()) == null)
        // Read again: a job that ends meanwhile is stored before it leaves the schedule.
        .flatMap(job -> store.find(job.id()).stream())
        .filter(job -> !job.progress().state().isOver())
        .forEach(this::resume);
  }

  private void resume(Job job) {
    LOG.log(Level.INFO, "Job {0} goes on: {1}", job.id(), job.progress().state().text());
    JobRun unused = schedule.add(job);
  }

  Status find(JobId id) {
    JobRun run = schedule.find(id);
    return run != null
        ? run.status()
        : store
            .find(id)
            .map(job -> new Status(job, null))
            .orElseThrow(() -> new NotFoundException("there is no job " + id));
  }

  List<Status> list(@Nullable TopicName topic, int limit) {
    return store.list(topic, limit).stream().map(this::current).toList();
  }

  private Status current(Job stored) {
    JobRun run = schedule.find(stored.id());
    return run == null ? new Status(stored, null) : run.status();
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
