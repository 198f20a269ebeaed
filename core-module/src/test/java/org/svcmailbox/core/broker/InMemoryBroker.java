package org.svcmailbox.core.broker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicQueues;

/**
 * An in-memory broker whose contents outlive its sessions and {@link #crash}. Nothing happens by
 * itself: scheduled messages wake only in {@link #tick}, old messages become dead letters when they
 * are fetched, and failures come on request. Watches go to the given executor before the call that
 * made a message ready returns.
 */
public final class InMemoryBroker implements Broker {
  /** When a failing commit takes effect. */
  public enum CommitFault {
    /** Nothing took effect. */
    BEFORE,
    /** Everything took effect, but the caller is not told. */
    AFTER,
    /**
     * {@link #endLateCommit} decides whether it takes effect. Only a commit with a batch fails so.
     */
    LATE
  }

  /** Calls of a worker that wait for a broker in another process. */
  public enum Call {
    OPEN,
    FETCH,
    COMMIT,
    ASK,
    CREATE_MISSING
  }

  /** How long an unreadable dead letter is kept. */
  static final Duration UNREADABLE_RETENTION = Duration.ofDays(14);

  private final InstantSource clock;
  private final Executor notifier;
  private final Map<Call, Runnable> silences = new ConcurrentHashMap<>();
  private final Map<ShardId, InMemoryQueue> queues = new HashMap<>();
  private final Map<TopicName, TreeMap<Long, ObservedLetter>> deadLetters = new HashMap<>();
  private final Map<TopicName, Integer> marks = new HashMap<>();
  private final Set<LetterAddress> heldLetters = new HashSet<>();
  private long lastPosition;
  private final Map<WorkerId, NavigableMap<Long, BatchLogEntry>> logs = new HashMap<>();
  private final Map<WorkerId, NavigableMap<Long, DamagedEntry>> damaged = new HashMap<>();
  private final Map<WorkerId, Set<InMemorySessionLog>> waiting = new HashMap<>();
  private @Nullable OpenTransaction late;
  private @Nullable IntFunction<WorkerId> divided;
  private boolean holdsLogs;
  private int emptyFetches;
  private int handedOver;
  private volatile @Nullable Consumer<Duration> logDelay;
  private volatile BooleanSupplier unsorted = () -> false;
  private final Set<InMemoryBrokerSession> sessions = new LinkedHashSet<>();
  private int opened;
  private @Nullable CommitFault nextCommit;
  private boolean isDeadly;
  private boolean down;
  private int failedSessions;
  private int deletedBeforeFault = -1;
  private int commits;

  /** Fires watches on the thread that made the message ready. */
  public InMemoryBroker(InstantSource clock) {
    this(clock, Runnable::run);
  }

  /** Fires watches through {@code notifier}, never under the broker's lock. */
  public InMemoryBroker(InstantSource clock, Executor notifier) {
    this.clock = clock;
    this.notifier = notifier;
  }

  /** A worker's batch log, without what a session holds. */
  public NavigableMap<Long, BatchLogEntry> logOf(WorkerId worker) {
    return locked(() -> new TreeMap<>(log(worker)));
  }

  /** Replaces a worker's batch log. */
  public void replaceLog(WorkerId worker, NavigableMap<Long, BatchLogEntry> by) {
    locked(() -> logs.put(worker, new TreeMap<>(by)));
  }

  /** Has a session that releases a log hold nothing of the log's shards, whatever their number. */
  public void divide(IntFunction<WorkerId> logOfSlot) {
    locked(() -> divided = logOfSlot);
  }

  void requireReleased(WorkerId log, Collection<ShardId> held) {
    IntFunction<WorkerId> division = divided;
    for (ShardId shard : held) {
      if (division != null && division.apply(shard.slot()).equals(log)) {
        throw new AssertionError("log " + log + " is released before " + shard);
      }
    }
  }

  /** Damages an entry of a worker's batch log, which no session holds. */
  public void damageLog(WorkerId worker, long number) {
    locked(
        () -> {
          requireNonNull(log(worker).remove(number));
          return damaged(worker).put(number, new DamagedEntry(number, "on request"));
        });
  }

  /** Makes due messages ready. */
  public void tick() {
    locked(
        () -> {
          queues.values().forEach(queue -> queue.wake(clock.instant()));
          return null;
        });
  }

  /** Has the broker be silent in the next such call for as long as {@code meanwhile} takes. */
  public void silence(Call call, Runnable meanwhile) {
    silences.put(call, meanwhile);
  }

  void await(Call call) {
    Runnable meanwhile = silences.remove(call);
    if (meanwhile != null) {
      meanwhile.run();
    }
  }

  /** Makes the next nonempty commit throw {@link UnavailableException}. */
  public void failNextCommit(CommitFault when) {
    locked(
        () -> {
          nextCommit = when;
          isDeadly = false;
          return null;
        });
  }

  /** Makes the next nonempty commit throw an error that kills the worker. */
  public void dieAtNextCommit(CommitFault when) {
    failNextCommit(when);
    locked(() -> isDeadly = true);
  }

  /** Makes the next deletion fail after it has removed {@code after} queues. */
  public void failNextDeletion(int after) {
    locked(() -> deletedBeforeFault = after);
  }

  private void delete(List<ShardId> shards) {
    int most = deletedBeforeFault;
    deletedBeforeFault = -1;
    shards.stream().limit(most < 0 ? shards.size() : most).forEach(queues::remove);
    if (most >= 0) {
      throw new UnavailableException("a deletion failed on request, after " + most);
    }
  }

  /** Breaks every session, as a killed process would; their messages are ready again. */
  public void crash() {
    List<Runnable> lost =
        locked(
            () -> {
              List<Runnable> watches =
                  sessions.stream().flatMap(InMemoryBrokerSession::watches).toList();
              List.copyOf(sessions).forEach(this::end);
              return watches;
            });
    lost.forEach(notifier::execute);
  }

  /** Ends every session, and tells none of them, as when their process was stopped meanwhile. */
  public void endQuietly() {
    locked(
        () -> {
          List.copyOf(sessions).forEach(this::endQuietly);
          return null;
        });
  }

  /** As above, a session that this broker opened. */
  public void endQuietly(BrokerSession session) {
    InMemoryBrokerSession mine = (InMemoryBrokerSession) session;
    locked(
        () -> {
          end(mine);
          mine.unaware();
          return null;
        });
  }

  /** Has a session learn that the broker ended it. */
  public void tellEnd(BrokerSession session) {
    ((InMemoryBrokerSession) session).learn();
  }

  /** Whether a session has not learned that the broker ended it. */
  public boolean isUnaware(BrokerSession session) {
    return ((InMemoryBrokerSession) session).isUnaware();
  }

  /** Breaks every session, and reads its journal again as a broker in the process does. */
  public void restart() {
    crash();
    locked(
        () -> {
          queues.values().forEach(InMemoryQueue::reload);
          return null;
        });
  }

  /** Hands so many messages of a shard over ahead of a fetch, as Artemis' client does. */
  public void handOver(int messages) {
    locked(() -> handedOver = messages);
  }

  int handedOver() {
    return handedOver;
  }

  /** Has so many next fetches find nothing, as while a queue is read back from its pages. */
  public void readBackAfter(int fetches) {
    locked(() -> emptyFetches = fetches);
  }

  boolean isReadingBack() {
    return emptyFetches > 0 && emptyFetches-- > 0;
  }

  /** Crashes and refuses everything until {@link #comeBack}. */
  public void goDown() {
    crash();
    locked(() -> down = true);
  }

  public void comeBack() {
    locked(() -> down = false);
  }

  /** Adds an unreadable message to the end of a shard's queue. */
  public void plantUnreadable(ShardId shard) {
    locked(
        () -> {
          queue(shard).addLast(new InMemoryQueue.Held(null, clock.instant(), false));
          return null;
        });
  }

  /** All messages of all shards: ready, scheduled or delivering; fails on a second copy. */
  public Map<MsgId, StoredMessage> everything() {
    return locked(
        () -> {
          Map<MsgId, StoredMessage> all = new HashMap<>();
          Stream.concat(
                  queues.values().stream().flatMap(InMemoryQueue::resting),
                  Stream.concat(
                      sessions.stream().flatMap(InMemoryBrokerSession::delivering),
                      Stream.ofNullable(late).flatMap(OpenTransaction::detached)))
              .map(held -> held.message)
              .filter(Objects::nonNull)
              .forEach(message -> keepSingle(all, message));
          return all;
        });
  }

  private static void keepSingle(Map<MsgId, StoredMessage> all, StoredMessage message) {
    if (all.put(message.envelope().msgId(), message) != null) {
      throw new AssertionError("two copies of " + message.envelope().msgId());
    }
  }

  /** A topic's dead letters, in the order they died. */
  public List<ObservedLetter> quarantined(TopicName topic) {
    return locked(() -> List.copyOf(letters(topic).values()));
  }

  public long delivering() {
    return locked(() -> sessions.stream().flatMap(InMemoryBrokerSession::delivering).count());
  }

  public long deliveringBytes() {
    return locked(
        () ->
            sessions.stream()
                .flatMap(InMemoryBrokerSession::delivering)
                .map(held -> held.message)
                .filter(Objects::nonNull)
                .mapToLong(message -> message.payload().size())
                .sum());
  }

  public int commits() {
    return locked(() -> commits);
  }

  public int failedSessions() {
    return locked(() -> failedSessions);
  }

  void sessionFailed() {
    locked(() -> failedSessions++);
  }

  public int openSessions() {
    return locked(sessions::size);
  }

  public int opened() {
    return locked(() -> opened);
  }

  @Override
  public BrokerSession open() {
    await(Call.OPEN);
    return locked(
        () -> {
          requireUp();
          InMemoryBrokerSession session = new InMemoryBrokerSession(this);
          sessions.add(session);
          opened++;
          return session;
        });
  }

  /** Has a session's log wait for what the log has; the first that waits gets it. */
  void attach(InMemorySessionLog waiting) {
    if (!logs.containsKey(waiting.worker())) {
      throw new UnavailableException("worker " + waiting.worker() + " has no log");
    }
    waiting(waiting.worker()).add(waiting);
  }

  void detach(InMemorySessionLog ended) {
    waiting(ended.worker()).remove(ended);
  }

  boolean isFirst(InMemorySessionLog one) {
    return waiting(one.worker()).stream().findFirst().filter(first -> first == one).isPresent();
  }

  private Set<InMemorySessionLog> waiting(WorkerId worker) {
    return waiting.computeIfAbsent(worker, none -> new LinkedHashSet<>());
  }

  @Override
  public boolean hasLog(WorkerId worker) {
    return locked(
        () -> {
          requireUp();
          return logs.containsKey(worker) && !isEmpty(worker);
        });
  }

  private boolean isEmpty(WorkerId worker) {
    return log(worker).isEmpty()
        && damaged(worker).isEmpty()
        && waiting(worker).stream().noneMatch(InMemorySessionLog::hasEntries);
  }

  @Override
  public void makeLog(WorkerId worker, BatchId last) {
    locked(
        () -> {
          requireUp();
          if (logs.containsKey(worker) && !isEmpty(worker)) {
            throw new IllegalStateException("worker " + worker + " has a log");
          }
          BatchLogEntry.seed(last).forEach(entry -> log(worker).put(entry.number(), entry));
          return null;
        });
  }

  /** Removes a worker's batch log, which no session holds. */
  public void removeLog(WorkerId worker) {
    locked(() -> logs.remove(worker));
  }

  @Override
  public List<WorkerId> loggedWorkers() {
    return locked(
        () -> {
          requireUp();
          return List.copyOf(logs.keySet());
        });
  }

  @Override
  public void requireAnswer() {
    locked(
        () -> {
          requireUp();
          return null;
        });
  }

  @Override
  public void createQueues(Topic topic) {
    locked(
        () -> {
          requireUp();
          topic.shards().forEach(shard -> queues.putIfAbsent(shard, new InMemoryQueue()));
          marks.put(topic.name(), topic.id());
          return deadLetters.putIfAbsent(topic.name(), new TreeMap<>());
        });
  }

  @Override
  public List<TopicName> createMissing(Collection<Topic> topics) {
    await(Call.CREATE_MISSING);
    return locked(
        () -> {
          requireUp();
          List<Topic> lacking = topics.stream().filter(this::lacksAny).toList();
          lacking.forEach(this::createQueues);
          return lacking.stream().map(Topic::name).toList();
        });
  }

  private boolean lacksAny(Topic topic) {
    return !deadLetters.containsKey(topic.name())
        || !queues.keySet().containsAll(topic.shards())
        || !Integer.valueOf(topic.id()).equals(marks.get(topic.name()));
  }

  @Override
  public Map<TopicName, TopicQueues> topics() {
    return locked(
        () -> {
          requireUp();
          Map<TopicName, TopicQueues> all = new HashMap<>();
          queues
              .keySet()
              .forEach(
                  shard ->
                      all.merge(shard.topic(), TopicQueues.of(shard.index()), TopicQueues::and));
          marks.forEach((name, id) -> all.merge(name, TopicQueues.marked(id), TopicQueues::and));
          return all;
        });
  }

  /** Removes a topic's mark, as an earlier version left it. */
  public void unmark(TopicName topic) {
    locked(() -> marks.remove(topic));
  }

  @Override
  public void deleteQueues(Topic topic) {
    locked(
        () -> {
          requireUp();
          delete(topic.shards());
          marks.remove(topic.name());
          return deadLetters.remove(topic.name());
        });
  }

  @Override
  public void deleteQueues(Topic topic, BooleanSupplier isEnding) {
    if (!isEnding.getAsBoolean()) {
      throw new UnavailableException("the topic is not ending");
    }
    deleteQueues(topic);
  }

  @Override
  public void forgetLetters(TopicName topic) {}

  @Override
  public void deleteQueue(ShardId shard) {
    locked(
        () -> {
          requireUp();
          delete(List.of(shard));
          return null;
        });
  }

  @Override
  public Contents contents() {
    return locked(
        () -> {
          requireUp();
          Map<ShardId, Held> messages = new HashMap<>();
          for (ShardId shard : queues.keySet()) {
            Held held = held(shard);
            if (held.messages() > 0) {
              messages.put(shard, held);
            }
          }
          Map<TopicName, Long> dead = new HashMap<>();
          deadLetters.forEach((topic, letters) -> put(dead, topic, letters.size()));
          return new Contents(messages, dead);
        });
  }

  private static <K> void put(Map<K, Long> counts, K key, long count) {
    if (count > 0) {
      counts.put(key, count);
    }
  }

  @Override
  public long messages(ShardId shard) {
    return counts(shard).messages();
  }

  @Override
  public Held held(ShardId shard) {
    return locked(
        () -> {
          requireUp();
          InMemoryQueue queue = queues.get(shard);
          return queue == null
              ? Held.NOTHING
              : new Held(queue.counts(now()).messages(), queue.bytes());
        });
  }

  @Override
  public long removeScheduled(ShardId shard) {
    return locked(
        () -> {
          requireUp();
          InMemoryQueue queue = queues.get(shard);
          return queue == null ? 0L : queue.removeScheduled();
        });
  }

  @Override
  public Searched search(ShardId shard, MsgId msgId) {
    return locked(
        () -> {
          requireUp();
          InMemoryQueue queue = queues.get(shard);
          Stream<QueuedMessage> resting = queue == null ? Stream.empty() : queue.queued();
          Stream<QueuedMessage> delivered =
              sessions.stream()
                  .flatMap(InMemoryBrokerSession::delivering)
                  .filter(held -> held.message != null)
                  .map(held -> InMemoryQueue.queued(held, held.readySince, false));
          return new Searched(
              Stream.concat(resting, delivered)
                  .filter(one -> isOf(requireNonNull(one.envelope()), shard, msgId))
                  .findFirst()
                  .orElse(null),
              true);
        });
  }

  private static boolean isOf(Envelope envelope, ShardId shard, MsgId msgId) {
    return envelope.msgId().equals(msgId)
        && new ShardId(envelope.topic(), envelope.shard()).equals(shard);
  }

  @Override
  public List<ScheduledMessage> scheduled(
      ShardId shard, ScheduledMessage.Position after, int most) {
    return locked(
        () -> {
          requireUp();
          InMemoryQueue queue = queues.get(shard);
          Stream<ScheduledMessage> all = queue == null ? Stream.empty() : queue.scheduled();
          return all.filter(message -> message.position().compareTo(after) > 0)
              .sorted(ScheduledMessage.ORDER)
              .limit(most)
              .toList();
        });
  }

  @Override
  public boolean removeScheduled(ShardId shard, MsgId msgId) {
    return locked(
        () -> {
          requireUp();
          InMemoryQueue queue = queues.get(shard);
          return queue != null && queue.removeScheduled(msgId, now());
        });
  }

  @Override
  public int removeDeadLetters(TopicName topic, int most) {
    return locked(
        () -> {
          requireUp();
          NavigableMap<Long, ObservedLetter> letters = letters(topic);
          int removed = Math.min(most, letters.size());
          for (int i = 0; i < removed; i++) {
            letters.pollFirstEntry();
          }
          return removed;
        });
  }

  @Override
  public QueueCounts counts(ShardId shard) {
    return locked(
        () -> {
          requireUp();
          InMemoryQueue queue = queues.get(shard);
          return queue == null ? QueueCounts.NOTHING : queue.counts(clock.instant());
        });
  }

  @Override
  public long deadLetters(TopicName topic) {
    return locked(
        () -> {
          requireUp();
          return (long) letters(topic).size();
        });
  }

  @Override
  public List<String> violations() {
    return locked(
        () -> {
          requireUp();
          return List.of();
        });
  }

  /** Runs {@code work} under the lock, and fires the watches it triggers before returning. */
  <T extends @Nullable Object> T locked(Supplier<T> work) {
    List<Runnable> firing = new ArrayList<>();
    try {
      return guarded(work, firing);
    } finally {
      firing.forEach(notifier::execute);
    }
  }

  private synchronized <T extends @Nullable Object> T guarded(
      Supplier<T> work, List<Runnable> firing) {
    try {
      return work.get();
    } finally {
      queues.values().forEach(queue -> firing.addAll(queue.firing()));
    }
  }

  InMemoryQueue queue(ShardId shard) {
    InMemoryQueue queue = queues.get(shard);
    if (queue == null) {
      throw new UnavailableException("shard " + shard + " has no queue");
    }
    return queue;
  }

  Stream<InMemoryQueue> queues() {
    return queues.values().stream();
  }

  boolean has(ShardId shard) {
    return queues.containsKey(shard);
  }

  Instant now() {
    return clock.instant();
  }

  void deadLetter(TopicName topic, ObservedLetter letter) {
    deadLetters.computeIfAbsent(topic, t -> new TreeMap<>()).put(++lastPosition, letter);
  }

  private NavigableMap<Long, ObservedLetter> letters(TopicName topic) {
    return deadLetters.getOrDefault(topic, new TreeMap<>());
  }

  /** A topic's dead letters by position; all are in segment 0. */
  public Map<Long, ObservedLetter> letterPositions(TopicName topic) {
    return locked(() -> Map.copyOf(letters(topic)));
  }

  /** A place behind all present letters and before all later ones. */
  public long frontier() {
    return locked(() -> ++lastPosition);
  }

  /** Takes a letter, unless it is gone or held. */
  public boolean holdLetter(LetterAddress letter) {
    return locked(
        () -> {
          requireUp();
          return letter.segment() == 0
              && letters(letter.topic()).containsKey(letter.position())
              && heldLetters.add(letter);
        });
  }

  public void releaseLetter(LetterAddress letter) {
    locked(() -> heldLetters.remove(letter));
  }

  /** Removes a letter that was taken; the caller puts its replacement in place. */
  public void endLetter(LetterAddress letter) {
    locked(
        () -> {
          heldLetters.remove(letter);
          return letters(letter.topic()).remove(letter.position());
        });
  }

  /** Adds a message to a shard, in a transaction of no worker. */
  public void putMessage(ShardId shard, StoredMessage message) {
    locked(
        () -> {
          requireUp();
          queue(shard).addLast(new InMemoryQueue.Held(message, clock.instant(), false));
          return null;
        });
  }

  /** Withholds log entries from sessions, like a thread that is held up. */
  public void holdLogs(boolean hold) {
    locked(() -> holdsLogs = hold);
  }

  boolean holdsLogs() {
    return holdsLogs;
  }

  /**
   * Has the entries of a log arrive at a session's second look, not at its first; null ends that.
   *
   * @param waits lets the time of a look pass that finds nothing
   */
  public void delayLogs(@Nullable Consumer<Duration> waits) {
    locked(() -> logDelay = waits);
  }

  @Nullable Consumer<Duration> logDelay() {
    return logDelay;
  }

  /** Has {@code is} tell sessions whether expired messages are still to be sorted. */
  public void unsorted(BooleanSupplier is) {
    unsorted = is;
  }

  @Override
  public boolean hasUndeliverable() {
    return unsorted.getAsBoolean();
  }

  /** Entries of a worker's batch log that no session holds. */
  NavigableMap<Long, BatchLogEntry> log(WorkerId worker) {
    return logs.computeIfAbsent(worker, none -> new TreeMap<>());
  }

  /** Damaged entries of a worker's batch log. */
  NavigableMap<Long, DamagedEntry> damaged(WorkerId worker) {
    return damaged.computeIfAbsent(worker, none -> new TreeMap<>());
  }

  void end(InMemoryBrokerSession session) {
    if (sessions.remove(session)) {
      session.giveEverythingBack();
    }
  }

  boolean isOpen(InMemoryBrokerSession session) {
    return sessions.contains(session);
  }

  /** Whether a commit that failed {@link CommitFault#LATE} has not ended. */
  public boolean hasLateCommit() {
    return locked(() -> late != null);
  }

  /** Ends the transaction whose commit failed {@link CommitFault#LATE}. */
  public void endLateCommit(boolean takesEffect) {
    locked(
        () -> {
          OpenTransaction ending = requireNonNull(late);
          late = null;
          if (takesEffect) {
            ending.commit();
            commits++;
          } else {
            ending.rollBack();
          }
          return null;
        });
  }

  /** Ends a transaction, or fails as asked. */
  void commit(OpenTransaction transaction) {
    boolean waits = nextCommit == CommitFault.LATE && (late != null || !transaction.hasBatch());
    CommitFault fault = waits ? null : nextCommit;
    nextCommit = waits ? nextCommit : null;
    if (fault == CommitFault.LATE) {
      transaction.detach();
      late = transaction;
    } else if (fault != CommitFault.BEFORE) {
      transaction.commit();
      commits++;
    }
    if (fault != null && isDeadly) {
      throw new OutOfMemoryError("on request, " + fault);
    }
    if (fault != null) {
      throw new UnavailableException("a commit failed on request, " + fault);
    }
  }

  private void requireUp() {
    if (down) {
      throw new UnavailableException("the broker is down on request");
    }
  }
}
