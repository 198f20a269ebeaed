package org.svcmailbox.core.redrive;

import java.util.Set;

/**
 * Permits in the broker of jobs that remove letters for good. A job has one from its start until an
 * operator pauses or cancels it, and again once it is resumed. The database may fall back behind
 * that; without a permit no other process goes on with the job. Any thread. Changes are on disk on
 * return, and repeating one is no error. Throws {@code UnavailableException} when the broker is
 * away.
 */
public interface DiscardPermits {
  void grant(JobId job);

  void withdraw(JobId job);

  /** The jobs that have one. */
  Set<JobId> all();
}
