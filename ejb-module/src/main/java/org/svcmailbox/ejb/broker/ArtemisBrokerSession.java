package org.svcmailbox.ejb.broker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.SessionLog;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.admin.NamesOnDisk;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.letters.HeldLetters;
import org.svcmailbox.ejb.letters.StagedDeadLetters;
import org.svcmailbox.ejb.link.BrokerClock;
import org.svcmailbox.ejb.link.BrokerLink;
import org.svcmailbox.ejb.link.BrokerTrouble;
import org.svcmailbox.ejb.link.ShardConsumer;

/**
 * A transacted session with Artemis. It turns the mailbox's operations into messages and queues,
 * which the {@link BrokerLink} transports.
 *
 * <p>Threads: the worker's own thread calls every method except {@link #lost}, which the link calls
 * from any thread and which only notifies watchers.
 */
final class ArtemisBrokerSession implements BrokerSession {
  /** The most messages that one fetch puts aside, unreadable or early, before it returns. */
  static final int MOST_LEFT_OUT = 1_000;

  private static final String EXHAUSTED = "its deliveries kept ending with their process";

  private final BrokerLink link;
  private final NamesOnDisk names;
  private final StagedDeadLetters deadLetters;
  private final BrokerClock clock;
  private final Function<TopicName, Duration> retention;
  private final int mostDeliveries;
  private final Map<ShardId, ShardConsumer> consumers = new ConcurrentHashMap<>();
  private final Map<WorkerId, HeldLog> logs = new ConcurrentHashMap<>();
  private final HeldLetters letters;
  private volatile @Nullable String broken;
  private final Set<SimpleString> sentTo = new HashSet<>();
  private boolean staged;

  /**
   * Takes ownership of {@code link}.
   *
   * @param retention how long a topic's dead letters are kept
   * @param mostDeliveries the most deliveries of a message, counting those to failed or killed
   *     sessions
   */
  ArtemisBrokerSession(
      BrokerLink link,
      NamesOnDisk names,
      StagedDeadLetters deadLetters,
      BrokerClock clock,
      Function<TopicName, Duration> retention,
      int mostDeliveries) {
    this.mostDeliveries = mostDeliveries;
    this.link = link;
    this.names = names;
    this.deadLetters = deadLetters;
    this.clock = clock;
    this.retention = retention;
    this.letters = new HeldLetters(link);
    link.onLoss(this::lost);
  }

  @Override
  public boolean hasQueue(ShardId shard) {
    return call("look for a queue", () -> link.hasQueue(QueueNames.of(shard)));
  }

  @Override
  public boolean hasUndeliverable() {
    return call("count", () -> link.countMessages(QueueNames.UNDELIVERABLE)) > 0;
  }

  @Override
  public long enqueue(ShardId shard, StoredMessage message, @Nullable Instant deliverAt) {
    return call("send", () -> enqueueMessage(shard, message, deliverAt));
  }

  @Override
  public void acknowledge(Delivery delivery) {
    ArtemisDelivery mine = end(delivery);
    run("acknowledge", () -> acknowledge(mine.received()));
  }

  @Override
  public long redeliver(
      Delivery delivery, MessageEvent failure, Instant deliverAt, Instant expiresAt) {
    ArtemisDelivery mine = end(delivery);
    StoredMessage successor = mine.message().failed(failure, expiresAt);
    return call(
        "redeliver",
        () -> {
          long bytes = enqueueMessage(mine.shard(), successor, deliverAt);
          acknowledge(mine.received());
          return bytes;
        });
  }

  @Override
  public void prolong(Delivery delivery, Instant expiresAt) {
    ArtemisDelivery mine = end(delivery);
    StoredMessage same = mine.message().returned(mine.message().lastError(), expiresAt);
    run(
        "prolong",
        () -> {
          enqueueMessage(mine.shard(), same, clock.now());
          acknowledge(mine.received());
        });
  }

  @Override
  public void quarantine(Delivery delivery, Quarantine why, Instant expiresAt) {
    ArtemisDelivery mine = end(delivery);
    run(
        "quarantine",
        () ->
            deadLetter(
                mine.shard().topic(), dead(mine.message(), why, expiresAt), mine.received()));
  }

  private CoreMessage dead(StoredMessage message, Quarantine why, Instant expiresAt) {
    CoreMessage letter = MessageCodec.encodeDead(message, why, clock.now(), expiresAt);
    clock.translateExpiration(letter);
    return letter;
  }

  @Override
  public boolean takeLetter(LetterAddress letter) {
    return call("take a dead letter", () -> letters.take(letter));
  }

  @Override
  public void acknowledgeLetter(LetterAddress letter) {
    run("acknowledge a dead letter", () -> acknowledge(letters.of(letter)));
  }

  @Override
  public void returnLetters() {
    run("give back dead letters", letters::giveBack);
  }

  @Override
  public SessionLog log(WorkerId worker) {
    HeldLog present = logs.get(worker);
    if (present != null) {
      return present;
    }
    SimpleString queue = QueueNames.log(worker);
    if (!call("look for a log", () -> link.hasQueue(queue))) {
      throw new UnavailableException("the broker has no log of worker " + worker);
    }
    HeldLog waiting =
        call("wait for a log", () -> new HeldLog(worker, new HeldEntries(link, queue)));
    logs.put(worker, waiting);
    return waiting;
  }

  private final class HeldLog implements SessionLog {
    private final WorkerId worker;
    private final HeldEntries entries;

    HeldLog(WorkerId worker, HeldEntries entries) {
      this.worker = worker;
      this.entries = entries;
    }

    @Override
    public List<BatchLogEntry> receive(Duration atMost) {
      requireHeld();
      return call("receive a log", () -> entries.receive(atMost));
    }

    @Override
    public List<DamagedEntry> damaged() {
      requireHeld();
      return entries.damaged();
    }

    @Override
    public void acknowledgeDamaged() {
      requireHeld();
      staged = true;
      run("acknowledge the damaged entries of a log", entries::acknowledgeDamaged);
    }

    @Override
    public void stage(BatchLog.Change change) {
      requireHeld();
      staged = true;
      run("change a log", () -> entries.stage(change, clock.now()));
    }

    @Override
    public void release() {
      requireHeld();
      requireNothingStaged();
      logs.remove(worker);
      run("release a log", entries::close);
    }

    private void requireHeld() {
      if (logs.get(worker) != this) {
        throw new UnavailableException("this session has released the log of worker " + worker);
      }
    }
  }

  @Override
  public boolean commit() {
    boolean asks = staged;
    run(
        "commit",
        () -> {
          if (asks) {
            link.commit();
            names.sync(sentTo);
            sentTo.clear();
            staged = false;
            deadLetters.committed();
          }
        });
    return asks;
  }

  @Override
  public void ask() {
    requireNothingStaged();
    run("answer", link::ask);
  }

  /**
   * {@inheritDoc}
   *
   * <p>While the broker pages a shard, a message is ready once it has been read back from its page
   * file, and a watch then fires. After {@link #MOST_LEFT_OUT} messages put aside, the fetch
   * returns what it has, even nothing; a watch then fires at once.
   */
  @Override
  public Fetched fetch(ShardId shard, int max, boolean certain) {
    if (max < 1) {
      throw new IllegalArgumentException("max " + max);
    }
    List<Delivery> taken = new ArrayList<>();
    List<LeftOut> dead = new ArrayList<>();
    run("fetch", () -> fetch(shard, max, certain, taken, dead));
    return new Fetched(taken, dead);
  }

  private void fetch(
      ShardId shard, int max, boolean certain, List<Delivery> taken, List<LeftOut> dead)
      throws ActiveMQException {
    ShardConsumer consumer = consumer(shard);
    take(shard, consumer, max, () -> consumer.next(certain && taken.isEmpty()), taken, dead);
  }

  @Override
  public Fetched fetchExpired(ShardId shard, int max, Lifetime lifetime) {
    List<Delivery> taken = new ArrayList<>();
    List<LeftOut> dead = new ArrayList<>();
    ShardConsumer consumer = consumers.get(shard);
    if (consumer != null) {
      Predicate<Message> isOver = message -> isOver(message, lifetime);
      run(
          "look for expired messages",
          () -> take(shard, consumer, max, () -> consumer.next(isOver), taken, dead));
    }
    return new Fetched(taken, dead);
  }

  /** Uses the same times as an {@link ArtemisDelivery} of a taken message. */
  private static boolean isOver(Message message, Lifetime lifetime) {
    return lifetime.isOver(
        Instant.ofEpochMilli(message.getTimestamp()),
        Instant.ofEpochMilli(message.getExpiration()));
  }

  private interface Source {
    @Nullable Received next() throws ActiveMQException;
  }

  private void take(
      ShardId shard,
      ShardConsumer consumer,
      int max,
      Source source,
      List<Delivery> taken,
      List<LeftOut> dead)
      throws ActiveMQException {
    int leftOut = 0;
    while (taken.size() < max && leftOut < MOST_LEFT_OUT) {
      Received next = source.next();
      if (next == null) {
        break;
      }
      if (clock.isEarly(next.message())) {
        leftOut++;
        postpone(shard, next);
        continue;
      }
      if (next.deliveries() > mostDeliveries) {
        leftOut++;
        dead.add(leftOut(DeadLetterReason.MAX_DELIVERY, next));
        deadLetterExhausted(shard.topic(), next);
        continue;
      }
      try {
        StoredMessage message = MessageCodec.decode(next);
        taken.add(new ArtemisDelivery(consumer, shard, next, message));
      } catch (UnreadableMessageException e) {
        leftOut++;
        dead.add(leftOut(e.reason(), next));
        deadLetterUnreadable(shard.topic(), next, e);
      }
    }
  }

  private static LeftOut leftOut(DeadLetterReason reason, Received message) {
    return new LeftOut(reason, message.message().getEncodeSize());
  }

  /** Delays an early message again, unchanged, in the transaction that acknowledges it. */
  private void postpone(ShardId shard, Received early) throws ActiveMQException {
    Instant due = clock.due(early.message());
    CoreMessage again = MessageCodec.copy(early, due, due.plus(BrokerClock.ready(early.message())));
    clock.translateExpiration(again);
    clock.delay(again, due);
    send(QueueNames.of(shard), again);
    acknowledge(early);
  }

  private void deadLetterUnreadable(
      TopicName topic, Received unreadable, UnreadableMessageException e) throws ActiveMQException {
    deadLetterAsIs(topic, unreadable, e.reason(), e.why());
  }

  /** Called before decoding, because decoding may be what kills the process. */
  private void deadLetterExhausted(TopicName topic, Received exhausted) throws ActiveMQException {
    deadLetterAsIs(topic, exhausted, DeadLetterReason.MAX_DELIVERY, EXHAUSTED);
  }

  private void deadLetterAsIs(
      TopicName topic, Received message, DeadLetterReason reason, String lastError)
      throws ActiveMQException {
    Instant now = clock.now();
    Quarantine why = new Quarantine(reason, MessageCodec.deliveries(message.message()), lastError);
    Instant keptUntil = now.plus(retention.apply(topic));
    CoreMessage letter = MessageCodec.copyDead(message, why, now, keptUntil);
    clock.translateExpiration(letter);
    deadLetter(topic, letter, message);
  }

  @Override
  public void watch(ShardId shard, Runnable arrived) {
    run("watch", () -> consumer(shard).watch(arrived));
    if (broken != null) {
      // The session may have failed between the check and the watch, and it tells watchers only
      // once.
      failWatches();
    }
  }

  @Override
  public void release(ShardId shard) {
    requireNothingStaged();
    run(
        "release",
        () -> {
          ShardConsumer consumer = consumers.remove(shard);
          if (consumer != null) {
            consumer.close();
          }
        });
  }

  private void requireNothingStaged() {
    if (staged) {
      throw new IllegalStateException("inside a transaction");
    }
  }

  @Override
  public void fail() {
    broken = "the session is closed";
    link.fail();
    deadLetters.ended();
  }

  @Override
  public void close() {
    broken = "the session is closed";
    link.close();
    deadLetters.ended();
  }

  private void lost() {
    broken = "the broker ended the session, or is gone";
    failWatches();
  }

  private void failWatches() {
    consumers.values().forEach(ShardConsumer::fail);
    logs.values().forEach(held -> held.entries.fail());
  }

  private ShardConsumer consumer(ShardId shard) throws ActiveMQException {
    ShardConsumer present = consumers.get(shard);
    if (present != null) {
      return present;
    }
    ShardConsumer consumer = link.consume(QueueNames.of(shard));
    consumers.put(shard, consumer);
    return consumer;
  }

  private long enqueueMessage(ShardId shard, StoredMessage message, @Nullable Instant deliverAt)
      throws ActiveMQException {
    Instant readySince = deliverAt != null ? deliverAt : clock.now();
    CoreMessage encoded = MessageCodec.encode(message, readySince);
    clock.translateExpiration(encoded);
    if (deliverAt != null) {
      clock.delay(encoded, deliverAt);
    }
    return send(QueueNames.of(shard), encoded);
  }

  private void deadLetter(TopicName topic, CoreMessage letter, Received original)
      throws ActiveMQException {
    send(deadLetters.stage(topic, letter, original.body().length), letter);
    acknowledge(original);
  }

  /** Returns the bytes that the broker counts for the message. */
  private long send(SimpleString queue, CoreMessage message) throws ActiveMQException {
    staged = true;
    sentTo.add(queue);
    link.send(queue, message);
    return message.getEncodeSize();
  }

  private void acknowledge(Received received) throws ActiveMQException {
    staged = true;
    received.acknowledgement().stage();
  }

  private ArtemisDelivery end(Delivery delivery) {
    requireWhole();
    if (!(delivery instanceof ArtemisDelivery mine) || !mine.isOpen(consumers.get(mine.shard()))) {
      throw new IllegalStateException("not delivered by this session, or ended before");
    }
    mine.end();
    return mine;
  }

  private interface Step {
    void run() throws ActiveMQException;
  }

  private interface Call<T> {
    T call() throws ActiveMQException;
  }

  private void run(String doing, Step step) {
    boolean unused =
        call(
            doing,
            () -> {
              step.run();
              return true;
            });
  }

  /** Calls the broker. After a failure the session refuses everything. */
  private <T> T call(String doing, Call<T> call) {
    requireWhole();
    try {
      return call.call();
    } catch (ActiveMQException e) {
      broken = "the session failed before: " + doing;
      throw BrokerTrouble.unavailable("the broker failed to " + doing, e);
    } catch (ActiveMQInterruptedException e) {
      broken = "the session was interrupted before: " + doing;
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while to " + doing, e);
    } catch (UnavailableException e) {
      broken = "the session failed before: " + doing;
      throw e;
    }
  }

  private void requireWhole() {
    String why = broken;
    if (why != null) {
      throw new UnavailableException(why);
    }
  }
}
