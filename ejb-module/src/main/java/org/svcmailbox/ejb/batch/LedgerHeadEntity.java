package org.svcmailbox.ejb.batch;

import static java.util.stream.Collectors.toMap;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.Map;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/** The head of a ledger, which {@link ApplyBatches} writes. */
@Entity
@Table(name = "ledger_head")
@NamedQuery(
    name = LedgerHeadEntity.ALL,
    query = "select h.ledger.topicId, h.ledger.shard, h.seq, h.link from LedgerHeadEntity h")
@NamedQuery(
    name = LedgerHeadEntity.HIGHEST,
    query = "select coalesce(max(h.seq), 0) from LedgerHeadEntity h")
@NamedQuery(
    name = LedgerHeadEntity.DELETE_TOPIC,
    query = "delete from LedgerHeadEntity h where h.ledger.topicId = :topicId")
class LedgerHeadEntity {
  static final String ALL = "LedgerHeadEntity.all";
  static final String HIGHEST = "LedgerHeadEntity.highest";
  static final String DELETE_TOPIC = "LedgerHeadEntity.deleteTopic";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @EmbeddedId
  private LedgerKey ledger;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "seq")
  private long seq;

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @Column(name = "link")
  private byte[] link;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected LedgerHeadEntity() {}

  private LedgerHeadEntity(LedgerKey ledger, LedgerHead head) {
    this.ledger = ledger;
    this.seq = head.seq();
    this.link = head.link().bytes();
  }

  /** Sets a ledger's head within the caller's transaction. */
  static void put(EntityManager em, LedgerId ledger, LedgerHead head) {
    em.merge(new LedgerHeadEntity(new LedgerKey(ledger), head));
  }

  /** The heads of all ledgers. */
  static Map<LedgerId, LedgerHead> all(EntityManager em) {
    return em.createNamedQuery(ALL, Object[].class)
        .getResultStream()
        .collect(
            toMap(
                row -> new LedgerId((int) row[0], (int) row[1]),
                row -> new LedgerHead((long) row[2], Digest.ofBytes((byte[]) row[3]))));
  }

  /** The highest number in any ledger; 0 if there is none. */
  static long highest(EntityManager em) {
    return em.createNamedQuery(HIGHEST, Long.class).getSingleResult();
  }
}
