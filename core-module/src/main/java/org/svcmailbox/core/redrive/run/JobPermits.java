package org.svcmailbox.core.redrive.run;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.DiscardPermits;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobState;

/** Grants and withdraws the permits of jobs that discard; other jobs need none. */
record JobPermits(DiscardPermits permits) {
  private static final Logger LOG = System.getLogger(JobPermits.class.getName());

  /** Grants or withdraws the permit, depending on whether the job runs. */
  void follow(Job job) {
    if (job.spec().action() != JobAction.DISCARD) {
      return;
    }
    if (job.progress().state() == JobState.RUNNING) {
      permits.grant(job.id());
    } else {
      permits.withdraw(job.id());
    }
  }

  /**
   * Withdraws the permit of a job that ended by itself; {@link #keep} does it later if this fails.
   */
  void release(Job job) {
    try {
      follow(job);
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, () -> "The permit of job " + job.id() + " is left", e);
    }
  }

  /** The unfinished jobs among these that an operator has stopped after their rows were written. */
  Set<JobId> stopped(Collection<Job> unfinished) {
    Set<JobId> permitted = permits.all();
    Set<JobId> stopped = new HashSet<>();
    for (Job job : unfinished) {
      boolean discards =
          job.spec().action() == JobAction.DISCARD && job.progress().state() == JobState.RUNNING;
      if (discards && !permitted.contains(job.id())) {
        stopped.add(job.id());
      }
    }
    return stopped;
  }

  /** Withdraws the permits of all jobs but these. */
  void keep(Collection<Job> unfinished) {
    Set<JobId> left = new HashSet<>(permits.all());
    unfinished.forEach(job -> left.remove(job.id()));
    left.forEach(permits::withdraw);
  }
}
