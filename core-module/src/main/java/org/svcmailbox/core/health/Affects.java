package org.svcmailbox.core.health;

import java.util.Locale;

/** The operations that fail when a part is down. */
public enum Affects {
  /** The process itself: only a restart helps. */
  LIFE,
  /** Everything. */
  READS,
  /** SEND and changes to topics; stored messages can still be received and settled. */
  WRITES;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
