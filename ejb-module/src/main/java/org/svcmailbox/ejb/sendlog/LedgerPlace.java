package org.svcmailbox.ejb.sendlog;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.util.Objects;

/** A place in a ledger: the primary key of its table. */
@Embeddable
class LedgerPlace implements Serializable {
  private static final long serialVersionUID = 1L;

  @Column(name = "topic_id")
  private int topicId;

  @Column(name = "shard")
  private int shard;

  @Column(name = "seq")
  private long seq;

  /** For the persistence provider. */
  protected LedgerPlace() {}

  LedgerPlace(int topicId, int shard, long seq) {
    this.topicId = topicId;
    this.shard = shard;
    this.seq = seq;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LedgerPlace that
        && topicId == that.topicId
        && shard == that.shard
        && seq == that.seq;
  }

  @Override
  public int hashCode() {
    return Objects.hash(topicId, shard, seq);
  }
}
