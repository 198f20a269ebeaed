package org.svcmailbox.core.redrive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/** Jobs in memory, with failures on request. */
public final class InMemoryJobStore implements JobStore {
  private static final int AT_ONCE = 200;

  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private final List<AuditEntry> audit = new ArrayList<>();
  private boolean down;
  private boolean losesAnswer;

  /** Makes every call fail until it is up again. */
  public synchronized void down(boolean isDown) {
    down = isDown;
  }

  /** Makes the next {@link #create} store its job and then fail. */
  public synchronized void loseNextAnswer() {
    losesAnswer = true;
  }

  /** The audit, oldest first. */
  public synchronized List<AuditEntry> audit() {
    return List.copyOf(audit);
  }

  /** A copy of the jobs that are in it. */
  public synchronized InMemoryJobStore copy() {
    InMemoryJobStore copy = new InMemoryJobStore();
    copy.jobs.putAll(jobs);
    return copy;
  }

  /** Puts the jobs of a copy in the place of those that are in it. */
  public synchronized void replaceBy(InMemoryJobStore other) {
    jobs.clear();
    jobs.putAll(other.jobs);
  }

  private void requireUp() {
    if (down) {
      throw new UnavailableException("the jobs are down on request");
    }
  }

  @Override
  public synchronized void create(Job job, AuditEntry entry) {
    requireUp();
    jobs.put(job.id(), job);
    audit.add(entry);
    if (losesAnswer) {
      losesAnswer = false;
      throw new UnavailableException("the answer is lost on request");
    }
  }

  @Override
  public synchronized void save(Job job) {
    requireUp();
    jobs.put(job.id(), job);
  }

  @Override
  public synchronized void save(Job job, AuditEntry entry) {
    save(job);
    audit.add(entry);
  }

  @Override
  public synchronized Optional<Job> find(JobId id) {
    requireUp();
    return Optional.ofNullable(jobs.get(id));
  }

  @Override
  public synchronized List<Job> list(@Nullable TopicName topic, int limit) {
    requireUp();
    List<Job> newest = new ArrayList<>();
    jobs.values().stream()
        .filter(job -> topic == null || job.spec().topic().equals(topic))
        .forEach(job -> newest.add(0, job));
    return newest.stream().limit(limit).toList();
  }

  @Override
  public synchronized List<Job> unfinished() {
    requireUp();
    return jobs.values().stream().filter(job -> !job.progress().state().isOver()).toList();
  }

  @Override
  public synchronized int purge(int kept) {
    requireUp();
    List<Job> over =
        list(null, Integer.MAX_VALUE).stream()
            .filter(job -> job.progress().state().isOver())
            .skip(kept)
            .limit(AT_ONCE)
            .toList();
    over.forEach(job -> jobs.remove(job.id()));
    return over.size();
  }
}
