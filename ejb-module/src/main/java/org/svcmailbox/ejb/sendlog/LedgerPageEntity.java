package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedNativeQuery;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Query;
import jakarta.persistence.Table;
import jakarta.persistence.TypedQuery;
import java.util.List;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.ejb.store.InsertRows;

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
    name = LedgerPageEntity.HIGHEST,
    query = "select coalesce(max(p.place.firstSeq), 0) from LedgerPageEntity p")
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
    name = LedgerPageEntity.DELETE,
    query =
        "delete from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " and p.place.firstSeq = :firstSeq")
@NamedQuery(
    name = LedgerPageEntity.DELETE_UP_TO,
    query =
        "delete from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " and p.place.firstSeq <= :firstSeq")
class LedgerPageEntity {
  static final String HIGHEST = "LedgerPageEntity.highest";
  static final String LAST = "LedgerPageEntity.last";
  static final String DELETE_SOME = "LedgerPageEntity.deleteSome";
  static final String FROM = "LedgerPageEntity.from";
  static final String DELETE = "LedgerPageEntity.delete";
  static final String DELETE_UP_TO = "LedgerPageEntity.deleteUpTo";

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

  /** The highest number that a page of any ledger begins with; looks at all of them. */
  static long highest(EntityManager em) {
    return em.createNamedQuery(HIGHEST, Long.class).getSingleResult();
  }

  /** The entries of a ledger's last page; none when it has no page. */
  static List<LedgerEntry> last(EntityManager em, int topicId, int shard) {
    TypedQuery<Object[]> last = em.createNamedQuery(LAST, Object[].class);
    return pages(last, topicId, shard, 1).stream().findFirst().orElse(List.of());
  }

  /**
   * The entries of a ledger page by page, in order: from the page that has {@code from} on, at most
   * {@code limit} pages.
   */
  static List<List<LedgerEntry>> from(
      EntityManager em, int topicId, int shard, long from, int limit) {
    TypedQuery<Object[]> pages = em.createNamedQuery(FROM, Object[].class);
    return pages(pages.setParameter("from", from), topicId, shard, limit);
  }

  private static List<List<LedgerEntry>> pages(
      TypedQuery<Object[]> query, int topicId, int shard, int limit) {
    return query
        .setParameter("topicId", topicId)
        .setParameter("shard", shard)
        .setMaxResults(limit)
        .getResultList()
        .stream()
        .map(columns -> LedgerPage.entries((long) columns[0], (byte[]) columns[1]))
        .toList();
  }

  /** Removes the page that begins with {@code firstSeq}. */
  static void delete(EntityManager em, int topicId, int shard, long firstSeq) {
    delete(em.createNamedQuery(DELETE), topicId, shard, firstSeq);
  }

  /** Removes it and every page before it. */
  static void deleteUpTo(EntityManager em, int topicId, int shard, long firstSeq) {
    delete(em.createNamedQuery(DELETE_UP_TO), topicId, shard, firstSeq);
  }

  private static void delete(Query query, int topicId, int shard, long firstSeq) {
    query
        .setParameter("topicId", topicId)
        .setParameter("shard", shard)
        .setParameter("firstSeq", firstSeq)
        .executeUpdate();
  }
}
