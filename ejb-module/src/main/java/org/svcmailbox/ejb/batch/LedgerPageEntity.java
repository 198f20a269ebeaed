package org.svcmailbox.ejb.batch;

import static java.util.stream.Collectors.toMap;

import jakarta.persistence.Column;
import jakarta.persistence.ColumnResult;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedNativeQuery;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.SqlResultSetMapping;
import jakarta.persistence.Table;
import jakarta.persistence.TypedQuery;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.batch.LedgerPage;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.ejb.store.InsertRows;

/** The row of one {@link LedgerPage}. */
@Entity
@Table(name = "ledger_page")
@SqlResultSetMapping(
    name = LedgerPageEntity.OLDEST,
    columns = {
      @ColumnResult(name = "first_seq", type = Long.class),
      @ColumnResult(name = "size", type = Integer.class),
      @ColumnResult(name = "last_entry", type = byte[].class)
    })
@SqlResultSetMapping(
    name = LedgerPageEntity.ENDS,
    columns = {
      @ColumnResult(name = "topic_id", type = Integer.class),
      @ColumnResult(name = "shard", type = Integer.class),
      @ColumnResult(name = "first_seq", type = Long.class),
      @ColumnResult(name = "size", type = Integer.class),
      @ColumnResult(name = "last_entry", type = byte[].class)
    })
@NamedNativeQuery(
    name = LedgerPageEntity.ENDS,
    query =
        "with recursive one (topic_id) as (select min(topic_id) from ledger_page union all"
            + " select (select min(p.topic_id) from ledger_page p where p.topic_id > o.topic_id)"
            + " from one o where o.topic_id is not null),"
            + " ledger (topic_id, shard) as (select o.topic_id, (select min(p.shard)"
            + " from ledger_page p where p.topic_id = o.topic_id)"
            + " from one o where o.topic_id is not null union all"
            + " select l.topic_id, (select min(p.shard) from ledger_page p"
            + " where p.topic_id = l.topic_id and p.shard > l.shard)"
            + " from ledger l where l.shard is not null)"
            + " select l.topic_id, l.shard,"
            + " (select p.first_seq from ledger_page p where p.topic_id = l.topic_id"
            + " and p.shard = l.shard order by p.first_seq desc limit 1) as first_seq,"
            + " (select length(p.entries) from ledger_page p where p.topic_id = l.topic_id"
            + " and p.shard = l.shard order by p.first_seq desc limit 1) as size,"
            + " (select substr(p.entries, length(p.entries) - 79, 80) from ledger_page p"
            + " where p.topic_id = l.topic_id and p.shard = l.shard"
            + " order by p.first_seq desc limit 1) as last_entry"
            + " from ledger l where l.shard is not null",
    resultSetMapping = LedgerPageEntity.ENDS)
@NamedNativeQuery(
    name = LedgerPageEntity.OLDEST,
    query =
        "select first_seq, length(entries) as size,"
            + " substr(entries, length(entries) - 79, 80) as last_entry"
            + " from ledger_page where topic_id = :topicId and shard = :shard"
            + " order by first_seq limit :limit",
    resultSetMapping = LedgerPageEntity.OLDEST)
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
    name = LedgerPageEntity.DELETE_UP_TO,
    query =
        "delete from LedgerPageEntity p"
            + " where p.place.topicId = :topicId and p.place.shard = :shard"
            + " and p.place.firstSeq <= :firstSeq")
class LedgerPageEntity {
  static final String ENDS = "LedgerPageEntity.ends";
  static final String OLDEST = "LedgerPageEntity.oldest";
  static final String SIZES_OF_TOPIC = "LedgerPageEntity.sizesOfTopic";
  static final String DELETE_SOME = "LedgerPageEntity.deleteSome";
  static final String FROM = "LedgerPageEntity.from";
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
    LedgerId ledger = page.ledger();
    return new Object[] {ledger.topicId(), ledger.shard(), page.firstSeq(), page.entries()};
  }

  /**
   * The entries of a ledger page by page, in order, beginning with the page that contains {@code
   * from}; at most {@code limit} pages.
   */
  static List<List<LedgerEntry>> from(EntityManager em, LedgerId ledger, long from, int limit) {
    TypedQuery<Object[]> pages = em.createNamedQuery(FROM, Object[].class);
    return pages(pages.setParameter("from", from), ledger, limit);
  }

  private static List<List<LedgerEntry>> pages(
      TypedQuery<Object[]> query, LedgerId ledger, int limit) {
    return query
        .setParameter("topicId", ledger.topicId())
        .setParameter("shard", ledger.shard())
        .setMaxResults(limit)
        .getResultList()
        .stream()
        .map(columns -> LedgerPage.entries((long) columns[0], (byte[]) columns[1]))
        .toList();
  }

  /**
   * The head after each ledger's last page. It skips from ledger to ledger, because there are many
   * pages.
   */
  static Map<LedgerId, LedgerHead> ends(EntityManager em) {
    return em.createNamedQuery(ENDS, Object[].class)
        .getResultStream()
        .collect(
            toMap(
                row -> new LedgerId((int) row[0], (int) row[1]),
                row ->
                    LedgerHead.after(
                        PageEnd.of((long) row[2], (int) row[3], (byte[]) row[4]).last())));
  }

  /** A ledger's oldest pages as their removal needs them, in order, at most {@code limit} pages. */
  static List<PageEnd> oldest(EntityManager em, LedgerId ledger, int limit) {
    return em
        .createNamedQuery(OLDEST, Object[].class)
        .setParameter("topicId", ledger.topicId())
        .setParameter("shard", ledger.shard())
        .setParameter("limit", limit)
        .getResultList()
        .stream()
        .map(columns -> PageEnd.of((long) columns[0], (int) columns[1], (byte[]) columns[2]))
        .toList();
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

  /** Removes the page that begins with {@code firstSeq}, and every page before it. */
  static void deleteUpTo(EntityManager em, LedgerId ledger, long firstSeq) {
    em.createNamedQuery(DELETE_UP_TO)
        .setParameter("topicId", ledger.topicId())
        .setParameter("shard", ledger.shard())
        .setParameter("firstSeq", firstSeq)
        .executeUpdate();
  }
}
