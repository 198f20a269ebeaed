package org.svcmailbox.core.redrive;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Where jobs are kept. Every method throws {@code UnavailableException} when the database is away;
 * what is written is on disk when it returns. Safe for many threads.
 */
public interface JobStore {
  /** Keeps a new job, in one transaction with the audit's entry of it. */
  void create(Job job, AuditEntry entry);

  /** Keeps how far a job has come. */
  void save(Job job);

  /** As {@link #save}, in one transaction with the audit's entry of what happened. */
  void save(Job job, AuditEntry entry);

  /** A job, if it is known. */
  Optional<Job> find(JobId id);

  /**
   * Jobs, newest first.
   *
   * @param topic of this topic only, unless it is null
   */
  List<Job> list(@Nullable TopicName topic, int limit);

  /** The jobs that are not over, oldest first. */
  List<Job> unfinished();

  /**
   * Forgets some of the jobs that are over, but not the newest {@code kept} of them. One
   * transaction; returns how many, 0 when nothing is left.
   */
  int purge(int kept);
}
