package org.svcmailbox.worker.config;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.route.SubjectFilter;

/**
 * A consumer of a stream, and the topic of its name.
 *
 * @param stream where its events come from
 * @param durable the name of the topic
 * @param filter the subjects that it subscribes to
 * @param ackWait how long a lease lasts
 * @param maxDeliver how many deliveries a message gets
 * @param maxAckPending how many messages are under a lease at most
 * @param handler where its events are posted; null if no worker handles them
 * @param handlerTimeout how long the handler may take
 */
public record ConsumerSettings(
    StreamSettings stream,
    String durable,
    SubjectFilter filter,
    Duration ackWait,
    int maxDeliver,
    int maxAckPending,
    @Nullable URI handler,
    Duration handlerTimeout) {
  /** Whether the events of a subject are for it. */
  public boolean subscribesTo(String subject) {
    return stream.has(subject) && filter.matches(subject);
  }
}
