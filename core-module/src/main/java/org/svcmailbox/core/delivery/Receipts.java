package org.svcmailbox.core.delivery;

import java.util.random.RandomGenerator;

/**
 * Makes receipts. Each carries the mark of the worker's life that made it, so that one from before
 * a restart is recognised as such.
 */
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

  /** Whether this worker, in this life, made it. */
  boolean isOurs(Receipt receipt) {
    return receipt.value().startsWith(life + "-");
  }
}
