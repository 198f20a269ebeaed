package org.svcmailbox.outbox.publish;

import java.util.Optional;
import java.util.Set;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;

/** A publisher's transaction on the outbox. One thread uses it. */
public interface OutboxTransaction extends AutoCloseable {
  /** The events. */
  OutboxRepository events();

  /**
   * Claims one event out of turn, whatever its state. Until the transaction ends, no other
   * transaction claims an event of its aggregate. Marking a parked event as published unparks it.
   */
  EventClaim claim(MessageId id);

  /** The trace of an event that was claimed here. */
  Optional<TraceContext> trace(MessageId id);

  /** The topics that accepted an event that was claimed here, while others refused it. */
  Set<String> acceptedBy(MessageId id);

  /** Remembers that one topic of several accepted an event. Published events are forgotten. */
  void accepted(MessageId id, String topic);

  /**
   * Parks an event, or parks it again for another reason: {@link OutboxRepository#findUnpublished}
   * does not claim it until an operator decides.
   *
   * @param holdsAggregate whether the other events of its aggregate are not claimed either
   */
  void park(OutboxEvent event, ErrorCode code, String error, boolean holdsAggregate);

  /**
   * Makes all changes, or none.
   *
   * @throws OutboxStoreException if the database refuses or is away; whether the changes were made
   *     may then be unknown
   */
  void commit();

  /** Ends the transaction, without changes unless it is committed. Frees what was claimed. */
  @Override
  void close();
}
