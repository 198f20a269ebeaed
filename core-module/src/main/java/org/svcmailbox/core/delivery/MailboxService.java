package org.svcmailbox.core.delivery;

import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.Caller;

/**
 * The mailbox for all endpoints. No method blocks on a commit: results complete, on a thread of the
 * service, when the commit is on disk or the request is refused. A refusal that a caller can act on
 * is a value, never an exceptional completion.
 */
public interface MailboxService {
  /**
   * Accepts a message. Without the right to {@code send} the outcome is a refusal.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException for a missing topic that is not created
   *     on demand
   * @throws org.svcmailbox.core.problem.FrameTooLargeException if the payload exceeds {@code
   *     max_frame}
   */
  CompletionStage<SendOutcome> send(Caller caller, SendRequest request);

  /**
   * Leases messages. Needs the right to {@code recv}, which is checked again after a wait.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException for a missing shard, or a topic that is
   *     not created on demand
   * @throws org.svcmailbox.core.problem.SchemaException if the visibility is out of bounds
   */
  PendingRecv recv(Caller caller, RecvRequest request);

  /**
   * Settles one delivery. Needs the right to {@code ack}, {@code nack} or {@code extend} in its
   * topic. A lease's holder may settle it even after its capability expired or was revoked.
   */
  CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request);

  /** A pending RECV. */
  interface PendingRecv {
    CompletionStage<RecvOutcome> outcome();

    /**
     * Reports that the client is gone. Stops the wait, and returns the messages without costing an
     * attempt. Any thread, idempotent.
     */
    void abandon();
  }
}
