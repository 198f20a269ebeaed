package org.svcmailbox.worker.config;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.http.HttpEventHandler;
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
 * @param ordered whether one worker handles all of it, so that aggregates keep their order
 * @param handler where its events are posted; null if no worker handles them
 * @param handlerTimeout how long the handler may take
 * @param handlerTokenFile the secret that the handler is called with; null for none
 */
public record ConsumerSettings(
    StreamSettings stream,
    String durable,
    SubjectFilter filter,
    Duration ackWait,
    int maxDeliver,
    int maxAckPending,
    boolean ordered,
    @Nullable URI handler,
    Duration handlerTimeout,
    @Nullable Path handlerTokenFile) {
  /** Calls the handler over HTTP. */
  public HttpEventHandler eventHandler() {
    return new HttpEventHandler(
        requireNonNull(handler, "settings were checked"),
        handlerTimeout,
        handlerTokenFile == null ? null : TokenSource.file(handlerTokenFile));
  }

  /** Whether the events of a subject are for it. */
  public boolean subscribesTo(String subject) {
    return stream.has(subject) && filter.matches(subject);
  }
}
