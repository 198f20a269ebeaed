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
 * @param stream the stream that its events come from
 * @param durable the name of the topic
 * @param filter the subjects that it subscribes to
 * @param ackWait how long a lease lasts
 * @param maxDeliver how many deliveries a message gets
 * @param maxAckPending the most messages under a lease
 * @param ordered whether one worker handles all messages, so that aggregates keep their order
 * @param handler the URL that its events are posted to; null if no worker handles them
 * @param handlerTimeout how long the handler may take
 * @param handlerTokenFile the file with the secret for the handler's calls; null for none
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

  /** Whether it subscribes to events of a subject. */
  public boolean subscribesTo(String subject) {
    return stream.has(subject) && filter.matches(subject);
  }
}
