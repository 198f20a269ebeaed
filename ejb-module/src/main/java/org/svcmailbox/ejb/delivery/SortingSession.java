package org.svcmailbox.ejb.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

  private enum Fate {
    DEAD,
    RETURNED,
    UNSORTED,
    ENDED
  }

  private final ClientSession session;
  private final LetterSegments letters;
  private final Burial burial;
  private final ClientConsumer consumer;
  private final ClientProducer producer;

  SortingSession(ClientSession session, LetterSegments letters, Burial burial)
      throws ActiveMQException {
    this.session = session;
    this.letters = letters;
    this.burial = burial;
    consumer = session.createConsumer(QueueNames.UNDELIVERABLE);
    producer = session.createProducer();
  }

  UndeliverableSorter.Sorted step(int most, Instant now, Duration retention)
      throws ActiveMQException {
    Map<Fate, Integer> counts = new EnumMap<>(Fate.class);
    List<Dead> dead = new ArrayList<>();
    Instant expiresAt = now.plus(retention);
    for (int taken = 0; taken < most; taken++) {
      ClientMessage next = consumer.receiveImmediate();
      if (next == null) {
        break;
      }
      counts.merge(sort(Received.of(next), now, expiresAt, dead), 1, Integer::sum);
      next.individualAcknowledge();
    }
    if (!counts.isEmpty()) {
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
  private Fate sort(Received undeliverable, Instant now, Instant expiresAt, List<Dead> dead)
      throws ActiveMQException {
    ICoreMessage message = undeliverable.message();
    boolean expired = message.containsProperty(Message.HDR_ACTUAL_EXPIRY_TIME);
    boolean wasDead = message.containsProperty(MessageCodec.REASON);
    if (wasDead && expired) {
      return Fate.ENDED;
    }
    Quarantine why = why(message, expired);
    CoreMessage copy =
        wasDead
            ? MessageCodec.copy(undeliverable, now, expiresAt)
            : MessageCodec.copyDead(undeliverable, why, now, expiresAt);
    Optional<ShardId> shard = QueueNames.shardOf(origin(message));
    Optional<TopicName> topic =
        shard.map(ShardId::topic).or(() -> topicByEnvelope(undeliverable)).filter(letters::exist);
    if (topic.isEmpty()) {
      LOG.log(Level.WARNING, "undeliverable message of no topic, from {0}", origin(message));
      producer.send(QueueNames.UNSORTED, copy);
      return Fate.UNSORTED;
    }
    producer.send(burial.place(topic.get(), copy, undeliverable.body().length), copy);
    if (wasDead) {
      return Fate.RETURNED;
    }
    dead.add(new Dead(shard.orElse(null), topic.get(), why.reason()));
    return Fate.DEAD;
  }

  private static Quarantine why(ICoreMessage message, boolean expired) {
    DeadLetterReason reason = expired ? DeadLetterReason.EXPIRED : DeadLetterReason.MAX_DELIVERY;
    String otherwise =
        expired
            ? "nobody took it within its retention"
            : "the broker gave up: its deliveries kept ending with their session";
    String lastError = MessageCodec.lastError(message);
    return new Quarantine(
        reason,
        Math.max(1, MessageCodec.attempt(message)),
        Objects.requireNonNullElse(lastError, otherwise));
  }

  /** Its transaction is over. */
  void ended() {
    burial.ended();
  }

  private static Optional<TopicName> topicByEnvelope(Received undeliverable) {
    try {
      return Optional.of(MessageCodec.decode(undeliverable).envelope().topic());
    } catch (UnreadableMessageException e) {
      LOG.log(Level.DEBUG, "undeliverable message without an envelope", e);
      return Optional.empty();
    }
  }

  private static String origin(ICoreMessage message) {
    return String.valueOf(message.getObjectProperty(Message.HDR_ORIGINAL_QUEUE));
  }
}
