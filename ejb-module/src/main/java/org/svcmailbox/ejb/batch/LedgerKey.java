package org.svcmailbox.ejb.batch;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.util.Objects;
import org.svcmailbox.core.ledger.LedgerId;

/** The primary key of a table with one row per ledger. */
@Embeddable
class LedgerKey implements Serializable {
  private static final long serialVersionUID = 1L;

  @Column(name = "topic_id")
  private int topicId;

  @Column(name = "shard")
  private int shard;

  /** For the persistence provider. */
  protected LedgerKey() {}

  LedgerKey(LedgerId ledger) {
    this.topicId = ledger.topicId();
    this.shard = ledger.shard();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LedgerKey that && topicId == that.topicId && shard == that.shard;
  }

  @Override
  public int hashCode() {
    return Objects.hash(topicId, shard);
  }
}
