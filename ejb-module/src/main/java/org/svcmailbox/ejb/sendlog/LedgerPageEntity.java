package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.ColumnResult;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedNativeQuery;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Query;
import jakarta.persistence.SqlResultSetMapping;
import jakarta.persistence.Table;
import jakarta.persistence.TypedQuery;
import java.util.List;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.ejb.sendlog.BatchPlaces.PagePlace;
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
@SqlResultSetMapping(
    name = LedgerPageEntity.OLDEST,
    columns = {
      @ColumnResult(name = "first_seq", type = Long.class),
      @ColumnResult(name = "size", type = Integer.class),
      @ColumnResult(name = "last_entry", type = byte[].class)
    })
@NamedNativeQuery(
    name = LedgerPageEntity.OLDEST,
    query =
        "select first_seq, length(entries) as size,"
            + " substr(entries, length(entries) - 79, 80) as last_entry"
            + " from ledger_page where topic_id = :topicId and shard = :shard"
            + " order by first_seq limit :limit",
    resultSetMapping = LedgerPageEntity.OLDEST)
@NamedNativeQuery(
    name = LedgerPageEntity.SIZE,
    query =
        "select length(entries) from ledger_page"
            + " where topic_id = :topicId and shard = :shard and first_seq = :firstSeq",
    resultClass = Integer.class)
@NamedNativeQuery(
    name = LedgerPageEntity.SIZES_OF_TOPIC,
    query =
        "select length(entries) from ledger_page where topic_id = :topicId"
            + " order by shard, first_seq limit :limit",
    resultClass = Integer.class)
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
  static final String OLDEST = "LedgerPageEntity.oldest";
  static final String SIZE = "LedgerPageEntity.size";
  static final String SIZES_OF_TOPIC = "LedgerPageEntity.sizesOfTopic";
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

  /** A ledger's oldest pages as they are removed, in order, at most {@code limit}. */
  static List<PageEnd> oldest(EntityManager em, int topicId, int shard, int limit) {
    return em
        .createNamedQuery(OLDEST, Object[].class)
        .setParameter("topicId", topicId)
        .setParameter("shard", shard)
        .setParameter("limit", limit)
        .getResultList()
        .stream()
        .map(columns -> PageEnd.of((long) columns[0], (int) columns[1], (byte[]) columns[2]))
        .toList();
  }

  /** How many bytes a page's entries have; nothing when it is not there. */
  static List<Integer> size(EntityManager em, PagePlace page) {
    return em.createNamedQuery(SIZE, Integer.class)
        .setParameter("topicId", page.topicId())
        .setParameter("shard", page.shard())
        .setParameter("firstSeq", page.firstSeq())
        .getResultList();
  }

  /** Removes pages of a topic, at most {@code limit}; returns the sizes of their entries. */
  static List<Integer> deleteSome(EntityManager em, int topicId, int limit) {
    List<Integer> sizes =
        em.createNamedQuery(SIZES_OF_TOPIC, Integer.class)
            .setParameter("topicId", topicId)
            .setParameter("limit", limit)
            .getResultList();
    em.createNamedQuery(DELETE_SOME)
        .setParameter("topicId", topicId)
        .setParameter("limit", limit)
        .executeUpdate();
    return sizes;
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
