package org.svcmailbox.worker.config;

import java.util.List;
import java.util.Optional;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.route.Routes;
import org.svcmailbox.outbox.route.SubjectFilter;

/**
 * The streams that all workers share. A subject's topics are those of the consumers that subscribe
 * to it.
 */
public record Streams(List<StreamSettings> streams, List<ConsumerSettings> consumers)
    implements Routes {
  @Override
  public List<String> topics(EventSubject subject) {
    return consumers.stream()
        .filter(consumer -> consumer.subscribesTo(subject.value()))
        .map(ConsumerSettings::durable)
        .toList();
  }

  /** Whether a stream can have subjects that match a filter. */
  public boolean has(SubjectFilter filter) {
    return streams.stream()
        .flatMap(stream -> stream.subjects().stream())
        .anyMatch(filter::overlaps);
  }

  /** The consumer with a name. */
  public Optional<ConsumerSettings> consumer(String durable) {
    return consumers.stream().filter(consumer -> consumer.durable().equals(durable)).findFirst();
  }
}
