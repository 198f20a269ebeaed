package org.svcmailbox.ejb.letters;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.ejb.admin.NamesOnDisk;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.LetterCodec;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Dead;
import org.svcmailbox.ejb.link.BrokerClock;

/** One transacted session of the {@link UndeliverableSorter}; unusable after an exception. */
final class SortingSession {
  private static final Logger LOG = System.getLogger(SortingSession.class.getName());

  /** Larger than a step: with a full window the broker would seem to have nothing more. */
  private static final int WINDOW_BYTES = (int) (4 * UndeliverableSorter.BATCH_BYTES);

  private enum Disposition {
    DEAD,
    RETURNED,
    REVIVED,
    ENDED,
    DELETED
  }

  private final ClientSession session;
  private final LetterSegments letters;
  private final StagedDeadLetters deadLetters;
  private final Function<TopicName, Duration> retention;
  private final Runnable unsorted;
  private final ExpiredMessages expired;
  private final BrokerClock clock;
  private final NamesOnDisk names;
  private final Set<SimpleString> sentTo = new HashSet<>();
  private final ClientConsumer consumer;
  private final ClientProducer producer;

  SortingSession(
      ClientSession session,
      LetterSegments letters,
      StagedDeadLetters deadLetters,
      Function<TopicName, Duration> retention,
      Runnable unsorted,
      ExpiredMessages expired,
      BrokerClock clock,
      NamesOnDisk names)
      throws ActiveMQException {
    this.retention = retention;
    this.unsorted = unsorted;
    this.expired = expired;
    this.clock = clock;
    this.names = names;
    this.session = session;
    this.letters = letters;
    this.deadLetters = deadLetters;
    consumer = session.createConsumer(QueueNames.UNDELIVERABLE, null, WINDOW_BYTES, -1, false);
    producer = session.createProducer();
  }

  UndeliverableSorter.Sorted step() throws ActiveMQException {
    Instant now = clock.now();
    Map<Disposition, Integer> counts = new EnumMap<>(Disposition.class);
    Map<Dead, Integer> dead = new HashMap<>();
    Set<ShardId> revived = new HashSet<>();
    long bytes = 0;
    int taken = 0;
    ClientMessage next;
    while (taken < UndeliverableSorter.BATCH
        && bytes < UndeliverableSorter.BATCH_BYTES
        && (next = consumer.receiveImmediate()) != null) {
      Received undeliverable = Received.of(next);
      counts.merge(sort(undeliverable, now, dead, revived), 1, Integer::sum);
      next.individualAcknowledge();
      bytes += undeliverable.body().length;
      taken++;
    }
    if (taken > 0) {
      session.commit();
      names.sync(sentTo);
      sentTo.clear();
      deadLetters.committed();
    }
    return new UndeliverableSorter.Sorted(
        dead,
        counts.getOrDefault(Disposition.RETURNED, 0),
        counts.getOrDefault(Disposition.ENDED, 0),
        counts.getOrDefault(Disposition.DELETED, 0),
        counts.getOrDefault(Disposition.REVIVED, 0),
        revived);
  }

  /** Stages the outcome of one message, except its acknowledgement. */
  private Disposition sort(
      Received undeliverable, Instant now, Map<Dead, Integer> dead, Set<ShardId> revived)
      throws ActiveMQException {
    ICoreMessage message = undeliverable.message();
    boolean wasDead = message.containsProperty(MessageCodec.REASON);
    Optional<ShardId> shard = QueueNames.shardOf(origin(message));
    Optional<TopicName> known = topic(message, shard);
    TopicName topic = known.orElse(TopicDirectory.UNSORTED);
    @Nullable Instant keptUntil = now.plus(retention.apply(topic));
    if (wasDead && isExpired(message)) {
      keptUntil = expired.keptUntil(message, retention.apply(topic));
    }
    if (keptUntil == null) {
      return Disposition.ENDED;
    }
    if (known.isEmpty()) {
      unsorted.run();
    }
    if (!letters.exist(topic)) {
      return Disposition.DELETED;
    }
    if (!wasDead && shard.isPresent() && revive(undeliverable, shard.get())) {
      revived.add(shard.get());
      return Disposition.REVIVED;
    }
    CoreMessage letter =
        wasDead
            ? MessageCodec.copy(undeliverable, now, keptUntil)
            : MessageCodec.copyDead(undeliverable, why(message, shard), now, keptUntil);
    clock.translateExpiration(letter);
    producer.send(deadLetters.stage(topic, letter, undeliverable.body().length), letter);
    if (wasDead) {
      return Disposition.RETURNED;
    }
    dead.merge(new Dead(shard.orElse(null), topic, LetterCodec.reason(letter)), 1, Integer::sum);
    return Disposition.DEAD;
  }

  /**
   * Stages the return of a message that a lost session may have held; false if it does not return.
   */
  private boolean revive(Received undeliverable, ShardId shard) throws ActiveMQException {
    ICoreMessage message = undeliverable.message();
    if (!isExpired(message) || !isOf(shard, message)) {
      return false;
    }
    Instant until = expired.newLife(message, shard);
    SimpleString queue = QueueNames.of(shard);
    if (until == null || !session.queueQuery(queue).isExists()) {
      return false;
    }
    CoreMessage again =
        MessageCodec.copyReturned(undeliverable, expired.note(message, shard), clock.now(), until);
    clock.translateExpiration(again);
    clock.atHead(again);
    producer.send(queue, again);
    sentTo.add(queue);
    return true;
  }

  private static boolean isOf(ShardId shard, ICoreMessage message) {
    return topicByEnvelope(message).filter(shard.topic()::equals).isPresent();
  }

  private Quarantine why(ICoreMessage message, Optional<ShardId> shard) {
    int deliveries = MessageCodec.deliveries(message);
    try {
      Envelope unused = MessageCodec.envelope(message);
    } catch (UnreadableMessageException e) {
      return new Quarantine(e.reason(), deliveries, e.why());
    }
    String lastError = MessageCodec.lastError(message);
    return isExpired(message)
        ? Quarantine.expired(
            deliveries, shard.map(from -> expired.note(message, from)).orElse(lastError))
        : Quarantine.givenUp(deliveries, lastError);
  }

  private static boolean isExpired(ICoreMessage message) {
    return message.containsProperty(Message.HDR_ACTUAL_EXPIRY_TIME);
  }

  /** Ends the transaction, committed or not. */
  void ended() {
    deadLetters.ended();
  }

  /**
   * The topic of the queue that the message came from, or else of its envelope. The checksum does
   * not cover the broker's note of the queue, so the note alone does not prove that a topic is
   * gone.
   */
  private Optional<TopicName> topic(ICoreMessage message, Optional<ShardId> shard) {
    return shard
        .map(ShardId::topic)
        .or(() -> QueueNames.segmentOf(origin(message)).map(QueueNames.Segment::topic))
        .filter(letters::exist)
        .or(() -> topicByEnvelope(message));
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
