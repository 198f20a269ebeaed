package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.util.Objects;

/** The primary key of a ledger page: where the page begins. */
@Embeddable
class LedgerPagePlace implements Serializable {
  private static final long serialVersionUID = 1L;

  @Column(name = "topic_id")
  private int topicId;

  @Column(name = "shard")
  private int shard;

  @Column(name = "first_seq")
  private long firstSeq;

  /** For the persistence provider. */
  protected LedgerPagePlace() {}

  @Override
  public boolean equals(Object other) {
    return other instanceof LedgerPagePlace that
        && topicId == that.topicId
        && shard == that.shard
        && firstSeq == that.firstSeq;
  }

  @Override
  public int hashCode() {
    return Objects.hash(topicId, shard, firstSeq);
  }
}
