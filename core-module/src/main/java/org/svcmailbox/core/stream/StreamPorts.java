package org.svcmailbox.core.stream;

import java.time.Duration;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;

/** The mailbox, as streams use it. Any thread. */
public interface StreamPorts {
  /** The states of a topic. */
  enum Standing {
    SERVED,
    PAUSED,
    GONE
  }

  /** Throws what {@code recv} would throw for this request, and creates the topic on demand. */
  void check(RecvRequest request);

  /** Starts a RECV whose messages count in {@code window}. */
  PendingRecv recv(Caller caller, RecvRequest request, StreamWindow window);

  /** Settles on behalf of a client that is gone. */
  void settle(Caller caller, SettleRequest request);

  /**
   * Counts one call against the capability's rates.
   *
   * @throws org.svcmailbox.core.problem.SaturatedException if one is exceeded
   */
  void countCall(Caller caller);

  Standing standing(TopicName topic);

  /** Runs something short after a time, on any thread. */
  void later(Duration time, Runnable task);

  /** Whether the service is stopping. */
  boolean isDraining();
}
