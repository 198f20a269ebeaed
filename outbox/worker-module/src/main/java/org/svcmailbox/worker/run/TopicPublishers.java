package org.svcmailbox.worker.run;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.mailbox.MailboxPublisher;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.worker.config.WorkerSettings;

/** A publisher for each topic that events go to, created with its first event. Any thread. */
public final class TopicPublishers implements AutoCloseable {
  /** Short, because the outbox retries as well. */
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(5);

  private record Topic(Mailbox<String, ?> mailbox, EventPublisher publisher) {}

  private final WorkerSettings.Service service;
  private final HttpConnections connections;
  private final Map<String, Topic> topics = new ConcurrentHashMap<>();

  public TopicPublishers(WorkerSettings.Service service, HttpConnections connections) {
    this.service = service;
    this.connections = connections;
  }

  /** The publisher of a topic. */
  public EventPublisher of(String topic) {
    return topics.computeIfAbsent(topic, this::open).publisher();
  }

  private Topic open(String topic) {
    HttpMailbox.Builder<String, ?> builder =
        HttpMailbox.builder(
                service.url(),
                TokenSource.file(service.tokenFile()),
                topic,
                Codecs.utf8(),
                Codecs.utf8())
            .connections(connections)
            .sendTimeout(SEND_TIMEOUT);
    Mailbox<String, ?> mailbox =
        (service.allowPlainHttp() ? builder.allowPlainHttp() : builder).build();
    return new Topic(mailbox, new MailboxPublisher(mailbox));
  }

  @Override
  public void close() {
    topics.values().forEach(topic -> topic.mailbox().close());
  }
}
