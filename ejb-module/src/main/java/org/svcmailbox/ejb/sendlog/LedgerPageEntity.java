package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedNativeQuery;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.List;
import org.svcmailbox.core.ledger.LedgerEntry;

/** The row of one {@link LedgerPage}. */
@Entity
@Table(name = "ledger_page")
@NamedQuery(
    name = LedgerPageEntity.LAST,
    query =
        "select p.place.firstSeq, p.entries from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " order by p.place.firstSeq desc")
@NamedQuery(
    name = LedgerPageEntity.OLDEST,
    query =
        "select p.place.firstSeq, p.entries from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " order by p.place.firstSeq")
@NamedNativeQuery(
    name = LedgerPageEntity.DELETE_SOME,
    query =
        "delete from ledger_page where topic_id = :topicId and (shard, first_seq) in"
            + " (select shard, first_seq from ledger_page where topic_id = :topicId"
            + " order by shard, first_seq limit :limit)")
@NamedQuery(
    name = LedgerPageEntity.FROM,
    query =
        "select p.place.firstSeq, p.entries from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " and p.place.firstSeq >= (select coalesce(max(q.place.firstSeq), 0)"
            + " from LedgerPageEntity q where q.place.topicId = :topicId"
            + " and q.place.shard = :shard and q.place.firstSeq <= :from)"
            + " order by p.place.firstSeq")
@NamedQuery(
    name = LedgerPageEntity.AT,
    query =
        "select p.place.firstSeq, p.entries from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " and p.place.firstSeq = :firstSeq")
@NamedQuery(
    name = LedgerPageEntity.DELETE,
    query =
        "delete from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " and p.place.firstSeq = :firstSeq")
class LedgerPageEntity {
  static final String LAST = "LedgerPageEntity.last";
  static final String OLDEST = "LedgerPageEntity.oldest";
  static final String DELETE_SOME = "LedgerPageEntity.deleteSome";
  static final String FROM = "LedgerPageEntity.from";
  static final String AT = "LedgerPageEntity.at";
  static final String DELETE = "LedgerPageEntity.delete";

  static final InsertRows INSERT =
      new InsertRows("ledger_page", "topic_id", "shard", "first_seq", "entries");

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @EmbeddedId
  private LedgerPagePlace place;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "entries")
  private byte[] entries;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected LedgerPageEntity() {}

  /** A row for {@link #INSERT}. */
  static Object[] row(LedgerPage page) {
    return new Object[] {page.topicId(), page.shard(), page.firstSeq(), page.bytes()};
  }

  /** A ledger's oldest pages, at most {@code limit}. */
  static List<Object[]> oldest(EntityManager em, int topicId, int shard, int limit) {
    return em.createNamedQuery(OLDEST, Object[].class)
        .setParameter("topicId", topicId)
        .setParameter("shard", shard)
        .setMaxResults(limit)
        .getResultList();
  }

  /** Removes a page. */
  static void delete(EntityManager em, int topicId, int shard, long firstSeq) {
    em.createNamedQuery(DELETE)
        .setParameter("topicId", topicId)
        .setParameter("shard", shard)
        .setParameter("firstSeq", firstSeq)
        .executeUpdate();
  }

  /** What the columns that the queries select hold. */
  static List<LedgerEntry> entries(Object[] columns) {
    return LedgerPage.entries((long) columns[0], (byte[]) columns[1]);
  }
}
