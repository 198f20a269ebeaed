package org.svcmailbox.core.delivery;

import java.time.Duration;

/** The answer to an ACK, a NACK or an EXTEND. */
public sealed interface SettleOutcome
    permits SettleOutcome.Done,
        SettleOutcome.Stale,
        SettleOutcome.TooLong,
        SettleOutcome.Unknown,
        Refusal {
  /** Done, and on disk where that matters. */
  record Done() implements SettleOutcome {}

  /** The caller's lease has ended; nothing was changed. */
  record Stale(Why why) implements SettleOutcome {}

  /**
   * The lease would exceed its topic's limit, which allows only {@code most}; nothing was changed.
   */
  record TooLong(Duration most) implements SettleOutcome {}

  /** This process did not deliver the message, or has forgotten it. */
  record Unknown() implements SettleOutcome {}

  enum Why {
    EXPIRED,
    /** The message was given back or delivered again. */
    SUPERSEDED,
    ACKED;

    public String text() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  Done DONE = new Done();

  Unknown UNKNOWN = new Unknown();
}
