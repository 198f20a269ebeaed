package org.svcmailbox.core.delivery;

import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.Caller;

/**
 * The mailbox, as every door calls it. No method blocks on a commit: what is returned completes,
 * from a thread of the service's own, when both commits are on disk or the request is refused. It
 * never completes exceptionally for a reason a caller could act on.
 */
public interface MailboxService {
  /**
   * Takes a message. Needs the right to {@code send} to its topic; without it the outcome is a
   * refusal, as for the others.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when the topic does not exist and topics
   *     are not made on demand
   * @throws org.svcmailbox.core.problem.FrameTooLargeException when the payload is over {@code
   *     max_frame}
   */
  CompletionStage<SendOutcome> send(Caller caller, SendRequest request);

  /**
   * Hands messages out under a lease. Needs the right to {@code recv} from the topic, also at the
   * moment at which a call that waits is answered.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when the topic or the shard does not
   *     exist and topics are not made on demand
   * @throws org.svcmailbox.core.problem.SchemaException when the visibility is out of its bounds
   */
  PendingRecv recv(Caller caller, RecvRequest request);

  /**
   * Settles one delivery. Needs the right to {@code ack}, {@code nack} or {@code extend} messages
   * of the topic that the message is of. Who holds the lease may settle it also with a capability
   * that has expired or was revoked since.
   */
  CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request);

  /** What does the work, where this only leads to it through a container. */
  default MailboxService plain() {
    return this;
  }

  /** A RECV under way. */
  interface PendingRecv {
    /** Its answer. */
    CompletionStage<RecvOutcome> outcome();

    /**
     * The client is gone, or its answer could not be written: stops waiting and gives back at once
     * whatever was leased for it, without spending an attempt. Any thread, any time, any number of
     * times.
     */
    void abandon();
  }
}
