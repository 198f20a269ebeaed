package org.svcmailbox.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Operation;
import org.svcmailbox.core.envelope.MsgId;

/** A checked ACK, NACK, rejection or EXTEND of one delivered message. */
public sealed interface SettleRequest {
  /** Which message. */
  MsgId msgId();

  /** Which delivery of it, null for whichever is current. */
  @Nullable Receipt receipt();

  /** What a capability has to allow. */
  Operation operation();

  /** The message is done with, for good. */
  record Ack(MsgId msgId, @Nullable Receipt receipt) implements SettleRequest {
    @Override
    public Operation operation() {
      return Operation.ACK;
    }
  }

  /**
   * The message was not processed and is to come back.
   *
   * @param reason the consumer's words, at most 1024 characters
   * @param delay when it is to come back, null for the backoff policy
   */
  record Nack(
      MsgId msgId, @Nullable Receipt receipt, @Nullable String reason, @Nullable Duration delay)
      implements SettleRequest {

    /** The longest reason, in characters. */
    public static final int MAX_REASON = 1024;

    @Override
    public Operation operation() {
      return Operation.NACK;
    }
  }

  /**
   * A NACK for good: the message goes to the dead letters, whatever its attempts.
   *
   * @param reason the consumer's words, 1 to {@value Nack#MAX_REASON} characters
   */
  record Reject(MsgId msgId, @Nullable Receipt receipt, String reason) implements SettleRequest {
    @Override
    public Operation operation() {
      return Operation.NACK;
    }
  }

  /**
   * The consumer needs more time.
   *
   * @param visibility how long from now
   */
  record Extend(MsgId msgId, @Nullable Receipt receipt, Duration visibility)
      implements SettleRequest {
    @Override
    public Operation operation() {
      return Operation.EXTEND;
    }
  }
}
