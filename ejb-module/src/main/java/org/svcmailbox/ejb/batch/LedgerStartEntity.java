package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/** The head before the first kept page of a ledger. */
@Entity
@Table(name = "ledger_start")
@NamedQuery(
    name = LedgerStartEntity.DELETE_TOPIC,
    query = "delete from LedgerStartEntity s where s.ledger.topicId = :topicId")
class LedgerStartEntity {
  static final String DELETE_TOPIC = "LedgerStartEntity.deleteTopic";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @EmbeddedId
  private LedgerKey ledger;

  @Column(name = "seq")
  private long seq;

  @Column(name = "link")
  private byte[] link;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected LedgerStartEntity() {}

  private LedgerStartEntity(LedgerKey ledger, LedgerHead start) {
    this.ledger = ledger;
    this.seq = start.seq();
    this.link = start.link().bytes();
  }

  /** Records within the caller's transaction that a ledger begins after {@code start}. */
  static void put(EntityManager em, LedgerId ledger, LedgerHead start) {
    em.merge(new LedgerStartEntity(new LedgerKey(ledger), start));
  }

  /** The head before the first kept entry of a ledger. */
  static LedgerHead of(EntityManager em, LedgerId ledger) {
    LedgerStartEntity start = em.find(LedgerStartEntity.class, new LedgerKey(ledger));
    return start == null ? LedgerHead.EMPTY : new LedgerHead(start.seq, Digest.ofBytes(start.link));
  }
}
