package org.svcmailbox.core.delivery;

import org.svcmailbox.core.envelope.MsgId;

/** The outcome of a SEND. */
public sealed interface SendOutcome
    permits SendOutcome.Accepted, SendOutcome.KeyConflict, SendOutcome.HashMismatch, Refusal {
  /**
   * The message is on disk.
   *
   * @param duplicate whether an earlier SEND with the same key and payload stored it
   */
  record Accepted(MsgId msgId, boolean duplicate) implements SendOutcome {}

  /**
   * The key belongs to a message with another payload; nothing was changed.
   *
   * @param holder that message
   */
  record KeyConflict(MsgId holder) implements SendOutcome {}

  /** The payload does not match the sender's hash; nothing was changed. */
  record HashMismatch() implements SendOutcome {}
}
