package org.svcmailbox.core.delivery;

import java.time.Duration;

/** What became of an ACK, a NACK or an EXTEND: a guarded transition without a default. */
public sealed interface SettleOutcome
    permits SettleOutcome.Done,
        SettleOutcome.Stale,
        SettleOutcome.TooLong,
        SettleOutcome.Unknown,
        Refusal {
  /** It is done, and durable where it needs to be. */
  record Done() implements SettleOutcome {}

  /** The caller's lease is no longer the message's lease; nothing was changed. */
  record Stale(Why why) implements SettleOutcome {}

  /**
   * The lease would last longer than its topic allows; nothing was changed.
   *
   * @param most how long it may last from now on
   */
  record TooLong(Duration most) implements SettleOutcome {}

  /** No such message was delivered by this process, or it is forgotten. */
  record Unknown() implements SettleOutcome {}

  /** Why a receipt is no longer good. */
  enum Why {
    /** The lease ran out. */
    EXPIRED,
    /** The message has been given back, or delivered again to somebody. */
    SUPERSEDED,
    /** The message was acknowledged. */
    ACKED;

    /** The form clients see. */
    public String text() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** The one instance of {@link Done}. */
  Done DONE = new Done();

  /** The one instance of {@link Unknown}. */
  Unknown UNKNOWN = new Unknown();
}
