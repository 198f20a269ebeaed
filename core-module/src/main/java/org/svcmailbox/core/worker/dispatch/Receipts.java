package org.svcmailbox.core.worker.dispatch;

import java.time.Instant;
import java.util.random.RandomGenerator;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.MsgId;

/** Makes receipts that identify this life of the worker. */
public final class Receipts {
  private final String life;
  private final Instant bornAt;
  private long made;

  public Receipts(RandomGenerator random, Instant bornAt) {
    this.life = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
    this.bornAt = bornAt;
  }

  Receipt next() {
    made++;
    return new Receipt(life + "-" + Long.toUnsignedString(made, Character.MAX_RADIX));
  }

  /** Whether the receipt may belong to a lease of an earlier life of this worker. */
  public boolean isOfEarlierLife(Receipt receipt, MsgId msgId) {
    boolean isOurs = receipt.value().startsWith(life + "-");
    return !isOurs && !msgId.createdAt().isAfter(bornAt);
  }
}
