package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.util.UUID;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;

/** One entry of a shard's ledger. */
@Entity
@Table(name = "ledger")
@NamedQuery(
    name = LedgerEntity.HEAD,
    query =
        "select e.place.seq, e.link from LedgerEntity e"
            + " where e.place.topicId = :topicId and e.place.shard = :shard"
            + " order by e.place.seq desc")
@NamedQuery(
    name = LedgerEntity.STRETCH,
    query =
        "select e.place.seq, e.msgId, e.hashChain, e.link from LedgerEntity e"
            + " where e.place.topicId = :topicId and e.place.shard = :shard"
            + " and e.place.seq >= :from order by e.place.seq")
@NamedQuery(
    name = LedgerEntity.MSG_IDS,
    query =
        "select e.msgId from LedgerEntity e"
            + " where e.place.topicId = :topicId and e.place.shard = :shard"
            + " and e.place.seq between :from and :to")
@NamedQuery(
    name = LedgerEntity.DELETE_STRETCH,
    query =
        "delete from LedgerEntity e"
            + " where e.place.topicId = :topicId and e.place.shard = :shard"
            + " and e.place.seq between :from and :to")
@NamedQuery(
    name = LedgerEntity.DELETE_TOPIC,
    query = "delete from LedgerEntity e where e.place.topicId = :topicId")
class LedgerEntity {
  static final String HEAD = "LedgerEntity.head";
  static final String STRETCH = "LedgerEntity.stretch";
  static final String MSG_IDS = "LedgerEntity.msgIds";
  static final String DELETE_STRETCH = "LedgerEntity.deleteStretch";
  static final String DELETE_TOPIC = "LedgerEntity.deleteTopic";

  @SuppressWarnings("UnusedVariable") // the provider reads it
  @EmbeddedId
  private LedgerPlace place;

  @Column(name = "msg_id")
  private UUID msgId;

  @Column(name = "hash_chain")
  private byte[] hashChain;

  @Column(name = "link")
  private byte[] link;

  /** For the persistence provider. */
  @SuppressWarnings("NullAway.Init")
  protected LedgerEntity() {}

  LedgerEntity(Row row) {
    LedgerEntry entry = row.entry();
    this.place = new LedgerPlace(row.topicId(), row.shard(), entry.seq());
    this.msgId = Ids.of(entry.msgId());
    this.hashChain = entry.hashChain().bytes();
    this.link = entry.link().bytes();
  }

  /** The columns that {@link #HEAD} selects. */
  static LedgerHead head(Object[] columns) {
    return new LedgerHead((long) columns[0], Digest.ofBytes((byte[]) columns[1]));
  }

  /** The columns that {@link #STRETCH} selects. */
  static LedgerEntry entry(Object[] columns) {
    return new LedgerEntry(
        (long) columns[0],
        Ids.msgId((UUID) columns[1]),
        Digest.ofBytes((byte[]) columns[2]),
        Digest.ofBytes((byte[]) columns[3]));
  }
}
