package org.svcmailbox.core.redrive;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.problem.UnavailableException;

/** Permits in a set, with failures on request. */
public final class InMemoryPermits implements DiscardPermits {
  private final Set<JobId> jobs = ConcurrentHashMap.newKeySet();
  private volatile boolean down;

  /** Makes every call fail until it is up again. */
  public void down(boolean isDown) {
    down = isDown;
  }

  private void requireUp() {
    if (down) {
      throw new UnavailableException("the permits are down on request");
    }
  }

  @Override
  public void grant(JobId job) {
    requireUp();
    jobs.add(job);
  }

  @Override
  public void withdraw(JobId job) {
    requireUp();
    jobs.remove(job);
  }

  @Override
  public Set<JobId> all() {
    requireUp();
    return Set.copyOf(jobs);
  }
}
