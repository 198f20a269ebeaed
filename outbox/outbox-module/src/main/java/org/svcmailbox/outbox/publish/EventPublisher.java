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
   * @return completes when the topic has the event on disk, or exceptionally with a {@link
   *     PublishException}; the topic may then have the event or not
   */
  CompletionStage<Published> publish(EventSubject subject, Payload payload, Headers headers);
}
