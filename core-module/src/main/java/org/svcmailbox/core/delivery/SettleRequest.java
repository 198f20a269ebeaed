package org.svcmailbox.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.MessageEvent;

/** A validated ACK, NACK, rejection or EXTEND. */
public sealed interface SettleRequest {
  MsgId msgId();

  /** Null for the current delivery. */
  @Nullable Receipt receipt();

  Operation operation();

  /** The message is processed and removed. */
  record Ack(MsgId msgId, @Nullable Receipt receipt) implements SettleRequest {
    @Override
    public Operation operation() {
      return Operation.ACK;
    }
  }

  /** The message returns after {@code delay}, or after the policy's backoff if null. */
  record Nack(
      MsgId msgId, @Nullable Receipt receipt, @Nullable String reason, @Nullable Duration delay)
      implements SettleRequest {

    public static final int MAX_REASON = MessageEvent.MAX_NOTE;

    @Override
    public Operation operation() {
      return Operation.NACK;
    }
  }

  /** A final NACK: the message becomes a dead letter, even if it has attempts left. */
  record Reject(MsgId msgId, @Nullable Receipt receipt, String reason) implements SettleRequest {
    @Override
    public Operation operation() {
      return Operation.NACK;
    }
  }

  /** Extends the lease to {@code visibility} from now. */
  record Extend(MsgId msgId, @Nullable Receipt receipt, Duration visibility)
      implements SettleRequest {
    @Override
    public Operation operation() {
      return Operation.EXTEND;
    }
  }
}
