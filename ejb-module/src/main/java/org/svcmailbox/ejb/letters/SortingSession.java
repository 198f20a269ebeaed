package org.svcmailbox.ejb.letters;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.LetterCodec;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Dead;

/** One transacted session of the {@link UndeliverableSorter}; of no use after an exception. */
final class SortingSession {
  private static final Logger LOG = System.getLogger(SortingSession.class.getName());

  /** More than a step takes: with a full window the broker would seem to have nothing more. */
  private static final int WINDOW_BYTES = (int) (4 * UndeliverableSorter.BATCH_BYTES);

  private enum Fate {
    DEAD,
    RETURNED,
    ENDED,
    DELETED
  }

  private final ClientSession session;
  private final LetterSegments letters;
  private final StagedDeadLetters deadLetters;
  private final Function<TopicName, Duration> retention;
  private final Runnable unsorted;
  private final ClientConsumer consumer;
  private final ClientProducer producer;

  SortingSession(
      ClientSession session,
      LetterSegments letters,
      StagedDeadLetters deadLetters,
      Function<TopicName, Duration> retention,
      Runnable unsorted)
      throws ActiveMQException {
    this.retention = retention;
    this.unsorted = unsorted;
    this.session = session;
    this.letters = letters;
    this.deadLetters = deadLetters;
    consumer = session.createConsumer(QueueNames.UNDELIVERABLE, null, WINDOW_BYTES, -1, false);
    producer = session.createProducer();
  }

  UndeliverableSorter.Sorted step(Instant now) throws ActiveMQException {
    Map<Fate, Integer> counts = new EnumMap<>(Fate.class);
    Map<Dead, Integer> dead = new HashMap<>();
    long bytes = 0;
    int taken = 0;
    ClientMessage next;
    while (taken < UndeliverableSorter.BATCH
        && bytes < UndeliverableSorter.BATCH_BYTES
        && (next = consumer.receiveImmediate()) != null) {
      Received undeliverable = Received.of(next);
      counts.merge(sort(undeliverable, now, dead), 1, Integer::sum);
      next.individualAcknowledge();
      bytes += undeliverable.body().length;
      taken++;
    }
    if (taken > 0) {
      session.commit();
      deadLetters.committed();
    }
    return new UndeliverableSorter.Sorted(
        dead,
        counts.getOrDefault(Fate.RETURNED, 0),
        counts.getOrDefault(Fate.ENDED, 0),
        counts.getOrDefault(Fate.DELETED, 0));
  }

  /** Stages what is to become of one message, but for its acknowledge. */
  private Fate sort(Received undeliverable, Instant now, Map<Dead, Integer> dead)
      throws ActiveMQException {
    ICoreMessage message = undeliverable.message();
    boolean wasDead = message.containsProperty(MessageCodec.REASON);
    if (wasDead && isExpired(message)) {
      return Fate.ENDED;
    }
    Optional<ShardId> shard = QueueNames.shardOf(origin(message));
    TopicName topic = topic(message, shard);
    if (!letters.exist(topic)) {
      return Fate.DELETED;
    }
    Instant keptUntil = now.plus(retention.apply(topic));
    CoreMessage letter =
        wasDead
            ? MessageCodec.copy(undeliverable, now, keptUntil)
            : MessageCodec.copyDead(undeliverable, why(message), now, keptUntil);
    producer.send(deadLetters.stage(topic, letter, undeliverable.body().length), letter);
    if (wasDead) {
      return Fate.RETURNED;
    }
    dead.merge(new Dead(shard.orElse(null), topic, LetterCodec.reason(letter)), 1, Integer::sum);
    return Fate.DEAD;
  }

  private static Quarantine why(ICoreMessage message) {
    int deliveries = MessageCodec.deliveries(message);
    try {
      Envelope unused = MessageCodec.envelope(message);
    } catch (UnreadableMessageException e) {
      return new Quarantine(e.reason(), deliveries, e.why());
    }
    String lastError = MessageCodec.lastError(message);
    return isExpired(message)
        ? Quarantine.expired(deliveries, lastError)
        : Quarantine.givenUp(deliveries, lastError);
  }

  private static boolean isExpired(ICoreMessage message) {
    return message.containsProperty(Message.HDR_ACTUAL_EXPIRY_TIME);
  }

  /** Its transaction is over. */
  void ended() {
    deadLetters.ended();
  }

  /**
   * By the queue it comes from, if that is a topic's; or else by what it says itself. The broker's
   * note of the queue is not covered by the checksum, so alone it does not say that a topic is
   * gone.
   */
  private TopicName topic(ICoreMessage message, Optional<ShardId> shard) {
    return shard
        .map(ShardId::topic)
        .or(() -> QueueNames.segmentOf(origin(message)).map(QueueNames.Segment::topic))
        .filter(letters::exist)
        .or(() -> topicByEnvelope(message))
        .orElseGet(this::unsorted);
  }

  private static Optional<TopicName> topicByEnvelope(ICoreMessage message) {
    try {
      return Optional.of(MessageCodec.envelope(message).topic());
    } catch (UnreadableMessageException e) {
      LOG.log(Level.DEBUG, "undeliverable message without an envelope", e);
      return Optional.empty();
    }
  }

  private TopicName unsorted() {
    unsorted.run();
    return TopicDirectory.UNSORTED;
  }

  private static String origin(ICoreMessage message) {
    return String.valueOf(message.getObjectProperty(Message.HDR_ORIGINAL_QUEUE));
  }
}
