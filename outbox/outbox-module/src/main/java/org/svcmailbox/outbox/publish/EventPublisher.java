package org.svcmailbox.outbox.publish;

import java.util.concurrent.CompletionStage;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.Payload;

/** One topic that events are sent to. Thread-safe. */
@FunctionalInterface
public interface EventPublisher {
  /**
   * Sends an event. Several may be in flight; their order is then undefined.
   *
   * @return completes once the event is on disk there, or exceptionally with a {@link
   *     PublishException}; the event may then be there or not
   */
  CompletionStage<Published> publish(EventSubject subject, Payload payload, Headers headers);
}
