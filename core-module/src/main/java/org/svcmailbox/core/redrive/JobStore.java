package org.svcmailbox.core.redrive;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Stores jobs. Every method throws {@code UnavailableException} when the database is away; a write
 * is on disk on return. Any thread.
 */
public interface JobStore {
  /** Stores a new job and its audit entry in one transaction. */
  void create(Job job, AuditEntry entry);

  /** Stores a job's progress. A store that fell back to before the job gets the job again. */
  void save(Job job);

  /** Stores a job's progress, with an audit entry in the same transaction. */
  void save(Job job, AuditEntry entry);

  Optional<Job> find(JobId id);

  /** Jobs, newest first, of one topic or of all. */
  List<Job> list(@Nullable TopicName topic, int limit);

  /** Running and paused jobs, oldest first. */
  List<Job> unfinished();

  /**
   * Deletes some finished jobs, but never the newest {@code kept}, in one transaction; returns how
   * many.
   */
  int purge(int kept);
}
