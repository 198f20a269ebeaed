package org.svcmailbox.ejb.delivery;

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
import org.svcmailbox.core.delivery.DeadLetterReason;
import org.svcmailbox.core.delivery.Quarantine;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.delivery.UndeliverableSorter.Dead;

/** One transacted session of the {@link UndeliverableSorter}; of no use after an exception. */
final class SortingSession {
  private static final Logger LOG = System.getLogger(SortingSession.class.getName());

  /** Where the settings of no topic hold. */
  private static final TopicName NOBODYS = new TopicName("-");

  /** More than a step takes: with a full window the broker would seem to have nothing more. */
  private static final int WINDOW_BYTES = (int) (2 * UndeliverableSorter.BATCH_BYTES);

  private enum Fate {
    DEAD,
    RETURNED,
    UNSORTED,
    ENDED
  }

  private final ClientSession session;
  private final LetterSegments letters;
  private final Burial burial;
  private final Function<TopicName, Duration> retention;
  private final ClientConsumer consumer;
  private final ClientProducer producer;

  SortingSession(
      ClientSession session,
      LetterSegments letters,
      Burial burial,
      Function<TopicName, Duration> retention)
      throws ActiveMQException {
    this.retention = retention;
    this.session = session;
    this.letters = letters;
    this.burial = burial;
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
      burial.committed();
    }
    return new UndeliverableSorter.Sorted(
        dead,
        counts.getOrDefault(Fate.RETURNED, 0),
        counts.getOrDefault(Fate.UNSORTED, 0),
        counts.getOrDefault(Fate.ENDED, 0));
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
    Optional<TopicName> topic = topic(undeliverable, shard);
    Instant keptUntil = now.plus(retention.apply(topic.orElse(NOBODYS)));
    CoreMessage letter =
        wasDead
            ? MessageCodec.copy(undeliverable, now, keptUntil)
            : MessageCodec.copyDead(undeliverable, why(message), now, keptUntil);
    if (topic.filter(letters::exist).isEmpty()) {
      LOG.log(Level.WARNING, "undeliverable message of no topic, from {0}", origin(message));
      producer.send(QueueNames.UNSORTED, letter);
      return Fate.UNSORTED;
    }
    producer.send(burial.place(topic.get(), letter, undeliverable.body().length), letter);
    if (wasDead) {
      return Fate.RETURNED;
    }
    dead.merge(
        new Dead(shard.orElse(null), topic.get(), LetterCodec.reason(letter)), 1, Integer::sum);
    return Fate.DEAD;
  }

  private static Quarantine why(ICoreMessage message) {
    int deliveries = MessageCodec.deliveries(message);
    String lastError = MessageCodec.lastError(message);
    if (MessageCodec.isAltered(message)) {
      return new Quarantine(
          DeadLetterReason.INTEGRITY, deliveries, UnreadableMessageException.altered().why());
    }
    return isExpired(message)
        ? Quarantine.expired(deliveries, lastError)
        : Quarantine.givenUp(deliveries, lastError);
  }

  private static boolean isExpired(ICoreMessage message) {
    return message.containsProperty(Message.HDR_ACTUAL_EXPIRY_TIME);
  }

  /** Its transaction is over. */
  void ended() {
    burial.ended();
  }

  /** By the queue it comes from, or else by what it says itself. */
  private static Optional<TopicName> topic(Received undeliverable, Optional<ShardId> shard) {
    return shard
        .map(ShardId::topic)
        .or(
            () ->
                QueueNames.segmentOf(origin(undeliverable.message()))
                    .map(QueueNames.Segment::topic))
        .or(() -> topicByEnvelope(undeliverable.message()));
  }

  private static Optional<TopicName> topicByEnvelope(ICoreMessage message) {
    try {
      return Optional.of(MessageCodec.envelope(message).topic());
    } catch (UnreadableMessageException e) {
      LOG.log(Level.DEBUG, "undeliverable message without an envelope", e);
      return Optional.empty();
    }
  }

  private static String origin(ICoreMessage message) {
    return String.valueOf(message.getObjectProperty(Message.HDR_ORIGINAL_QUEUE));
  }
}
