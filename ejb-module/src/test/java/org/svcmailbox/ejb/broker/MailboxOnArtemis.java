package org.svcmailbox.ejb.broker;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.bounds.DiskSpace;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.mailbox.SampleMailbox;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.supervision.Supervisor;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

/** A mailbox with one worker and one topic of one shard, on a broker that is lent to it. */
final class MailboxOnArtemis implements AutoCloseable {
  static final TopicName TOPIC = new TopicName("late");

  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.workers", "1", "mailbox.drain_deadline", "1s");

  private final Supervisor supervisor =
      new Supervisor(Thread::new, System::nanoTime, new Random(1));
  private final Mailbox mailbox;

  MailboxOnArtemis(ArtemisBroker broker) {
    this(broker, new InMemoryProjectionStore(), Map.of());
  }

  /**
   * As above.
   *
   * @param store its database
   * @param changed settings
   */
  MailboxOnArtemis(
      ArtemisBroker broker, InMemoryProjectionStore store, Map<String, String> changed) {
    this(broker, store, changed, 1, 1);
  }

  /** As above, with so many shards, and so many groups for the worker. */
  MailboxOnArtemis(
      ArtemisBroker broker,
      InMemoryProjectionStore store,
      Map<String, String> changed,
      int shards,
      int groups) {
    this(
        broker,
        store,
        changed,
        shards,
        (settings, ports) -> SampleMailbox.withGroups(settings, groups, ports));
  }

  /** One process among several, without a group yet. */
  static MailboxOnArtemis joining(
      ArtemisBroker broker, InMemoryProjectionStore store, int shards, int groups) {
    return new MailboxOnArtemis(
        broker,
        store,
        Map.of(),
        shards,
        (settings, ports) -> SampleMailbox.joining(settings, groups, ports));
  }

  private MailboxOnArtemis(
      ArtemisBroker broker,
      InMemoryProjectionStore store,
      Map<String, String> changed,
      int shards,
      BiFunction<MailboxSettings, Mailbox.Ports, Mailbox> mailboxes) {
    InMemoryTopicStore topics = new InMemoryTopicStore(id -> {});
    TopicState state = TopicState.fresh(TopicOverrides.NONE, shards);
    int id = topics.create(TOPIC, state, 0).id();
    Map<String, String> values = new HashMap<>(SETTINGS);
    values.putAll(changed);
    MailboxSettings settings =
        SettingsLoader.load(key -> Optional.ofNullable(values.get(key)), values.keySet(), 1);
    // A row without queues would get another id.
    broker.createQueues(new Topic(id, TOPIC, state, settings.defaults()));
    this.mailbox =
        mailboxes.apply(
            settings,
            new Mailbox.Ports(
                broker,
                new Mailbox.Stores(store, topics, entry -> {}),
                () -> new DiskSpace.Room(Long.MAX_VALUE, Long.MAX_VALUE),
                System::nanoTime,
                InstantSource.system(),
                new Random(1),
                Runnable::run,
                caller -> {}));
    mailbox.start(supervisor, Thread::new);
  }

  Mailbox mailbox() {
    return mailbox;
  }

  /** Sends a message whose payload is its key, and waits for the outcome. */
  SendOutcome send(String key) {
    return submit(key).toCompletableFuture().join();
  }

  /** As above, without waiting. */
  CompletionStage<SendOutcome> submit(String key) {
    return submit(key, key.getBytes(StandardCharsets.UTF_8), null);
  }

  /** As above, with a payload and a time to live. */
  CompletionStage<SendOutcome> submit(String key, byte[] payload, @Nullable Duration ttl) {
    return mailbox.send(
        SampleCallers.OPERATOR,
        new SendRequest(
            TOPIC,
            Payload.owning(payload),
            new IdemKey(key),
            Attributes.NONE,
            null,
            null,
            Duration.ZERO,
            ttl,
            null,
            null,
            null));
  }

  @Override
  public void close() {
    mailbox.drain();
    supervisor.end();
  }
}
