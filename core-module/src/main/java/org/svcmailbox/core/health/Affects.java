package org.svcmailbox.core.health;

import java.util.Locale;

/** What stops working when a part is down. */
public enum Affects {
  /** The process itself: only a restart helps. */
  LIFE,
  /** Everything: RECV, ACK, NACK and EXTEND, and with them SEND. */
  READS,
  /** SEND and changes to topics only; what is stored can still be received and settled. */
  WRITES;

  /** The form clients see. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
