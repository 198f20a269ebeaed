package org.svcmailbox.core.worker;

import java.util.random.RandomGenerator;
import org.svcmailbox.core.delivery.Receipt;

/** Makes receipts with a mark of this life of the worker. */
final class Receipts {
  private final String life;
  private long made;

  Receipts(RandomGenerator random) {
    this.life = Long.toUnsignedString(random.nextLong(), Character.MAX_RADIX);
  }

  Receipt next() {
    made++;
    return new Receipt(life + "-" + Long.toUnsignedString(made, Character.MAX_RADIX));
  }

  boolean isOurs(Receipt receipt) {
    return receipt.value().startsWith(life + "-");
  }
}
