package org.svcmailbox.ejb.audit;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.svcmailbox.core.audit.AuditEntry;

/** A row of the audit; the moment is in milliseconds. */
@Entity
@Table(name = "audit")
@NamedQuery(
    name = AuditEntity.OLDEST,
    query = "select a.no from AuditEntity a where a.at < :before order by a.no")
@NamedQuery(name = AuditEntity.DELETE, query = "delete from AuditEntity a where a.no in :numbers")
@NamedQuery(name = AuditEntity.ALL, query = "select a from AuditEntity a order by a.no")
public class AuditEntity {
  static final String OLDEST = "AuditEntity.oldest";
  static final String DELETE = "AuditEntity.delete";
  static final String ALL = "AuditEntity.all";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  @Column(name = "no")
  private int no;

  @Column(name = "at")
  private long at;

  @Column(name = "actor")
  private String actor;

  @Column(name = "address")
  private String address;

  @Column(name = "action")
  private String action;

  @Column(name = "subject")
  private String subject;

  @Column(name = "note")
  private String note;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected AuditEntity() {}

  private AuditEntity(AuditEntry entry) {
    this.at = entry.at().toEpochMilli();
    this.actor = entry.actor();
    this.address = entry.address();
    this.action = entry.action();
    this.subject = entry.subject();
    this.note = entry.note();
  }

  /** Writes an entry within the transaction it tells of. */
  public static void write(EntityManager em, AuditEntry entry) {
    em.persist(new AuditEntity(entry));
  }

  /** Removes at most so many of the entries from before a moment, oldest first. */
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

  /** Every entry, oldest first. */
  public static List<AuditEntry> all(EntityManager em) {
    return em.createNamedQuery(ALL, AuditEntity.class).getResultList().stream()
        .map(AuditEntity::entry)
        .toList();
  }

  private AuditEntry entry() {
    return new AuditEntry(Instant.ofEpochMilli(at), actor, address, action, subject, note);
  }
}
