package org.svcmailbox.ejb.redrive;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.ejb.audit.AuditEntity;
import org.svcmailbox.ejb.store.Transactions;

/** Stores jobs in the database. */
public final class JpaJobStore implements JobStore {
  /** Rows removed in one transaction. */
  private static final int AT_ONCE = 200;

  private final Transactions transactions;

  public JpaJobStore(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void create(Job job, AuditEntry entry) {
    transactions.write(
        em -> {
          em.persist(new JobEntity(job));
          AuditEntity.write(em, transactions.database(), entry);
          return entry;
        });
  }

  @Override
  public void save(Job job) {
    transactions.write(em -> set(em, job));
  }

  @Override
  public void save(Job job, AuditEntry entry) {
    transactions.write(
        em -> {
          set(em, job);
          AuditEntity.write(em, transactions.database(), entry);
          return entry;
        });
  }

  private static JobEntity set(EntityManager em, Job job) {
    JobEntity entity = entity(em, job.id()).orElseGet(() -> persisted(em, job));
    entity.set(job);
    return entity;
  }

  private static JobEntity persisted(EntityManager em, Job job) {
    JobEntity entity = new JobEntity(job);
    em.persist(entity);
    return entity;
  }

  private static Optional<JobEntity> entity(EntityManager em, JobId id) {
    return em
        .createNamedQuery(JobEntity.BY_ID, JobEntity.class)
        .setParameter("id", id.value())
        .getResultList()
        .stream()
        .findFirst();
  }

  @Override
  public Optional<Job> find(JobId id) {
    return transactions.read(em -> entity(em, id).map(JobEntity::job));
  }

  @Override
  public List<Job> list(@Nullable TopicName topic, int limit) {
    return transactions.read(
        em ->
            (topic == null
                    ? em.createNamedQuery(JobEntity.NEWEST, JobEntity.class)
                    : em.createNamedQuery(JobEntity.OF_TOPIC, JobEntity.class)
                        .setParameter("topic", topic.value()))
                .setMaxResults(limit).getResultList().stream().map(JobEntity::job).toList());
  }

  @Override
  public List<Job> unfinished() {
    return transactions.read(
        em ->
            em.createNamedQuery(JobEntity.UNFINISHED, JobEntity.class).getResultList().stream()
                .map(JobEntity::job)
                .toList());
  }

  @Override
  public int purge(int kept) {
    List<Integer> numbers =
        transactions.read(
            em ->
                em.createNamedQuery(JobEntity.FINISHED, Integer.class)
                    .setFirstResult(kept)
                    .setMaxResults(AT_ONCE)
                    .getResultList());
    return numbers.isEmpty()
        ? 0
        : transactions.write(
            em ->
                em.createNamedQuery(JobEntity.DELETE)
                    .setParameter("numbers", numbers)
                    .executeUpdate());
  }
}
