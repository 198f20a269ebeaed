package org.svcmailbox.core.redrive.run;

import java.util.LinkedHashSet;
import java.util.Set;
import org.svcmailbox.core.deadletter.JobId;

/** Jobs of which it is unknown whether they were stored; the oldest ones are forgotten. */
final class UnansweredStarts {
  static final int MOST = 100;

  private final Set<JobId> jobs = new LinkedHashSet<>();

  synchronized void add(JobId job) {
    jobs.add(job);
    if (jobs.size() > MOST) {
      jobs.remove(jobs.iterator().next());
    }
  }

  /** Returns whether the job was among them. */
  synchronized boolean remove(JobId job) {
    return jobs.remove(job);
  }
}
