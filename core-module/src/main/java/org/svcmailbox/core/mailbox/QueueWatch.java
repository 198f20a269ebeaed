package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.Broker.QueueCounts;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;

/**
 * Maintains the queues independently of the workers: ages of ready messages, missing queues, empty
 * surplus shards to close, and recounts. Each step is bounded and continues where the last one
 * ended. One thread.
 */
public final class QueueWatch {
  private static final Logger LOG = System.getLogger(QueueWatch.class.getName());

  /** Queues examined in one step. */
  private static final int LOOKS = 200;

  /** Shards closed, and shards recounted, in one step. */
  private static final int CLOSED = 10;

  private static final int RECOUNTED = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;
  private final Broker broker;
  private final InstantSource wall;
  private final TopicDeletion deletion;
  private final DeadLetterWatch letters;
  private Iterator<ShardId> looking = Collections.emptyIterator();
  private Iterator<ShardId> recounting = Collections.emptyIterator();

  QueueWatch(
      TopicDirectory topics,
      WorkerPool workers,
      Limits limits,
      Broker broker,
      InstantSource wall,
      TopicDeletion deletion,
      DeadLetterWatch letters) {
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
    this.broker = broker;
    this.wall = wall;
    this.deletion = deletion;
    this.letters = letters;
  }

  /** Counts every queue, before the workers start. */
  void countAll() {
    Broker.Contents found = broker.contents();
    // Oldest first, because metrics name the first topics.
    topics.all().stream()
        .sorted(Comparator.comparingInt(Topic::id))
        .map(Topic::name)
        .forEach(name -> limits.topics().of(name).deadLetters(found.deadLetters(name)));
    allShards().forEachRemaining(shard -> limits.counters(shard).recount(found.messages(shard)));
  }

  /** Does some of what is due. Throws {@code UnavailableException} when the broker is away. */
  public void step() {
    deletion.finishAll();
    forgetDeleted();
    mendQueues();
    lookAtOldest();
    letters.step();
    recount();
    if (workers.isAlone()) {
      closeEmptyShards();
    }
  }

  /** Records that the broker has dead-lettered messages by itself. */
  public void brokerMoved(
      @Nullable ShardId shard, TopicName topic, DeadLetterReason reason, int count) {
    limits.topics().of(topic).died(reason, count);
    limits.workerMetrics().quarantined(reason, count);
    if (shard != null) {
      changed(shard);
    }
  }

  /** Records that the broker, or the sorter, has changed the contents of a shard. */
  public void changed(ShardId shard) {
    if (topics.openShards(shard.topic()).contains(shard)) {
      recount(shard);
    }
  }

  public void lettersExpired(long count) {
    letters.expired(count);
  }

  /** Records how many messages that the broker gave up on are not yet sorted. */
  public void undeliverable(long waiting) {
    letters.undeliverable(waiting);
  }

  /** Forgets deleted topics' counters, which anything counted during the deletion creates again. */
  private void forgetDeleted() {
    for (TopicName name : limits.topics().names()) {
      if (topics.find(name).isEmpty()) {
        deletion.forget(name);
      }
    }
  }

  private void mendQueues() {
    for (TopicName topic : List.copyOf(limits.lackingQueues())) {
      topics.mend(topic);
      limits.lackingQueues().remove(topic);
      LOG.log(Level.WARNING, "Created missing queues again of {0}", topic);
    }
  }

  private void lookAtOldest() {
    if (!looking.hasNext()) {
      looking = allShards();
    }
    int looks = 0;
    while (looks < LOOKS && looking.hasNext()) {
      ShardId shard = looking.next();
      if (topics.has(shard) && lookAtOldest(shard)) {
        looks++;
      }
    }
  }

  /** Returns whether it had to ask the broker. */
  private boolean lookAtOldest(ShardId shard) {
    ShardCounters counters = limits.counters(shard);
    boolean isFilled = counters.waiting() > 0;
    QueueCounts counts = isFilled ? broker.counts(shard) : QueueCounts.NOTHING;
    long age = counts.oldestReadyAgeMillis();
    counters.readySince(age == 0 ? Long.MAX_VALUE : wall.millis() - age);
    counters.scheduled(counts.scheduled());
    return isFilled;
  }

  /** Corrects the counts without waiting for the workers. */
  private void recount() {
    if (!recounting.hasNext()) {
      recounting = allShards();
    }
    for (int i = 0; i < RECOUNTED && recounting.hasNext(); i++) {
      ShardId shard = recounting.next();
      if (topics.openShards(shard.topic()).contains(shard)) {
        recount(shard);
      }
    }
  }

  /** Does not wait: a worker without a session recounts when it has one again. */
  private void recount(ShardId shard) {
    CompletableFuture<?> unused = workers.admin(shard, admin -> admin.recount(shard));
  }

  private void closeEmptyShards() {
    int closed = 0;
    for (Topic topic : topics.all()) {
      if (topic.isRebalancing() && closed < CLOSED && isLastEmpty(topic)) {
        closed++;
        close(topic.name());
      }
    }
  }

  private boolean isLastEmpty(Topic topic) {
    return limits.counters(topic.shard(topic.state().liveShards() - 1)).depth() == 0;
  }

  private void close(TopicName topic) {
    boolean closed = topics.closeEmpty(topic, this::letGo);
    if (!closed) {
      // The workers ignored the shard while they were asked.
      List<?> unused = workers.admin(admin -> admin.refresh(topic));
    }
  }

  private boolean letGo(ShardId shard) {
    try {
      return workers
          .admin(shard, admin -> admin.close(shard))
          .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "{0} is not closed yet: {1}", shard, e.toString());
      return false;
    }
  }

  private Iterator<ShardId> allShards() {
    List<Topic> all = topics.all();
    return all.stream().flatMap(topic -> topic.shards().stream()).iterator();
  }
}
