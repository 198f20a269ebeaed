package org.svcmailbox.core.delivery;

import java.util.concurrent.CompletionStage;

/**
 * The mailbox, as every door calls it. No method blocks on a commit: what is returned completes,
 * from a thread of the service's own, when both commits are on disk or the request is refused. It
 * never completes exceptionally for a reason a caller could act on.
 */
public interface MailboxService {
  /**
   * Takes a message.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when the topic does not exist and topics
   *     are not made on demand
   * @throws org.svcmailbox.core.problem.FrameTooLargeException when the payload is over {@code
   *     max_frame}
   */
  CompletionStage<SendOutcome> send(SendRequest request);

  /**
   * Hands messages out under a lease.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when the topic or the shard does not
   *     exist and topics are not made on demand
   * @throws org.svcmailbox.core.problem.SchemaException when the visibility is out of its bounds
   */
  PendingRecv recv(RecvRequest request);

  /** Settles one delivery. */
  CompletionStage<SettleOutcome> settle(SettleRequest request);

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
