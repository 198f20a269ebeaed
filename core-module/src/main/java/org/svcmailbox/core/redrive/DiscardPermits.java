package org.svcmailbox.core.redrive;

import java.util.Set;
import org.svcmailbox.core.deadletter.JobId;

/**
 * The broker's permits for jobs that remove letters permanently. A job has a permit from its start
 * until an operator pauses or cancels it, and again after it is resumed. Even if the database falls
 * back to an older state of the job, no process continues it without a permit. Any thread. Changes
 * are on disk on return, and repeating one is no error. Throws {@code UnavailableException} when
 * the broker is away.
 */
public interface DiscardPermits {
  void grant(JobId job);

  void withdraw(JobId job);

  /** The jobs with a permit. */
  Set<JobId> all();
}
