package org.svcmailbox.ejb.audit;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Expression;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditFilter.Action;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.ejb.store.Database;

/** A row of the audit; times are epoch milliseconds. */
@Entity
@Table(name = "audit")
@NamedQuery(
    name = AuditEntity.OLDEST,
    query = "select a.no from AuditEntity a where a.at < :before order by a.no")
@NamedQuery(name = AuditEntity.DELETE, query = "delete from AuditEntity a where a.no in :numbers")
public class AuditEntity {
  static final String OLDEST = "AuditEntity.oldest";
  static final String DELETE = "AuditEntity.delete";

  /** One lock for all nodes: only one writes the audit at a time. */
  private static final String IN_TURN = "select 1 from pg_advisory_xact_lock(7022190452818739315)";

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  @Column(name = "no")
  private int no;

  @Column(name = "at")
  private long at;

  @Column(name = "actor")
  private String actor;

  @Column(name = "actor_name")
  private @Nullable String actorName;

  @Column(name = "address")
  private String address;

  @Column(name = "action")
  private String action;

  @Column(name = "subject")
  private String subject;

  @Column(name = "note")
  private String note;

  @SuppressWarnings("NullAway.Init")
  protected AuditEntity() {}

  private AuditEntity(AuditEntry entry) {
    this.at = entry.at().toEpochMilli();
    this.actor = entry.actor().id();
    this.actorName = entry.actor().name();
    this.address = entry.address();
    this.action = entry.action();
    this.subject = entry.subject();
    this.note = entry.note();
  }

  /**
   * Writes an entry as the last statement of the transaction it describes. The next entry waits for
   * the commit, because readers would miss a number that commits after a higher one.
   */
  public static void write(EntityManager em, Database database, AuditEntry entry) {
    if (database == Database.POSTGRESQL) {
      em.createNativeQuery(IN_TURN).getSingleResult();
    }
    em.persist(new AuditEntity(entry));
  }

  /** Removes at most {@code most} of the oldest entries from before {@code before}. */
  public static int purge(EntityManager em, Instant before, int most) {
    List<Integer> numbers =
        em.createNamedQuery(OLDEST, Integer.class)
            .setParameter("before", before.toEpochMilli())
            .setMaxResults(most)
            .getResultList();
    return numbers.isEmpty()
        ? 0
        : em.createNamedQuery(DELETE).setParameter("numbers", numbers).executeUpdate();
  }

  public static List<AuditRow> read(EntityManager em, AuditFilter wanted, long after, int limit) {
    CriteriaBuilder is = em.getCriteriaBuilder();
    CriteriaQuery<AuditEntity> query = is.createQuery(AuditEntity.class);
    Root<AuditEntity> row = query.from(AuditEntity.class);
    List<Predicate> all = conditions(is, row, wanted);
    all.add(is.gt(row.<Integer>get("no"), (int) Math.min(after, Integer.MAX_VALUE)));
    query.select(row).where(all.toArray(Predicate[]::new)).orderBy(is.asc(row.get("no")));
    return em.createQuery(query).setMaxResults(limit).getResultList().stream()
        .map(AuditEntity::row)
        .toList();
  }

  private static List<Predicate> conditions(
      CriteriaBuilder is, Root<AuditEntity> row, AuditFilter wanted) {
    List<Predicate> all = new ArrayList<>();
    if (wanted.since() != null) {
      all.add(is.ge(row.<Long>get("at"), wanted.since().toEpochMilli()));
    }
    if (wanted.until() != null) {
      all.add(is.lt(row.<Long>get("at"), wanted.until().toEpochMilli()));
    }
    if (wanted.action() != null) {
      all.add(is.equal(compared(is, row.get("action"), wanted.action()), wanted.action().text()));
    }
    if (wanted.subject() != null) {
      all.add(is.equal(row.get("subject"), wanted.subject()));
    }
    if (wanted.actorName() != null) {
      all.add(is.equal(is.coalesce(row.get("actorName"), row.get("actor")), wanted.actorName()));
    }
    return all;
  }

  /** No LIKE: SQLite's ignores case, and an action may contain a wildcard. */
  private static Expression<String> compared(
      CriteriaBuilder is, Expression<String> action, Action wanted) {
    return wanted.isBeginning() ? is.substring(action, 1, wanted.text().length()) : action;
  }

  private AuditRow row() {
    Instant moment = Instant.ofEpochMilli(at);
    return new AuditRow(
        no, new AuditEntry(moment, new Actor(actor, actorName), address, action, subject, note));
  }
}
