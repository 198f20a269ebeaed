package org.svcmailbox.ejb.broker;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterPositions;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.DiscardPermits;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicQueues;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.NamesOnDisk;
import org.svcmailbox.ejb.admin.QueueCountReader;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.letters.ArtemisLetters;
import org.svcmailbox.ejb.letters.ArtemisMover;
import org.svcmailbox.ejb.letters.ArtemisPermits;
import org.svcmailbox.ejb.letters.LetterSegment;
import org.svcmailbox.ejb.letters.LetterSegments;
import org.svcmailbox.ejb.letters.StagedDeadLetters;
import org.svcmailbox.ejb.letters.UndeliverableSorter;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerClock;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerLinks;
import org.svcmailbox.ejb.link.Connection;
import org.svcmailbox.ejb.settings.ProfileException;

/**
 * The broker port on Apache ActiveMQ Artemis, embedded or not.
 *
 * <p>Names, kept for ever: a shard's queue is {@code mailbox.topic.<topic>.<shard>}, a topic's dead
 * letters are in {@code mailbox.dlq.<topic>.<segment>}, and a worker's batch log is {@code
 * mailbox.log.<worker>}. Empty queues state a topic's id ({@code mailbox.id.<topic>.<id>}), the
 * pair ({@code mailbox.pair.<id>}) and a job that may discard letters ({@code mailbox.job.<id>}).
 * All are durable anycast queues on an address of the same name, which the broker never deletes by
 * itself.
 */
public final class ArtemisBroker implements Broker, AutoCloseable {
  /** How long to wait for the next letter while the broker reads it from a page. */
  private static final long READ_BACK_MILLIS = 2_000;

  /** The disk usage that counts as full. SENDs stop here; the rest is for everything else. */
  private static final double FULL_PERCENT = 95;

  private final BrokerConnections connections;
  private final BrokerLinks links;
  private final NamesOnDisk names;
  private final BrokerAdmin admin;

  /** For questions that a caller waits for. */
  private final BrokerConnections asked;

  private final BrokerAdmin asking;
  private final BatchLogQueues logs;
  private final LetterSegments letters;
  private final LetterPositions positions = new LetterPositions(new SecureRandom());
  private volatile Consumer<List<DeadLetter>> listener = died -> {};
  private final BrokerClock clock;
  private final Function<TopicName, Duration> retention;
  private final boolean amnesia;
  private final RemoteBrokerCheck remoteCheck;
  private final Standby standby;

  /**
   * Connects on first use.
   *
   * @param clock this service's clock, which nobody moves
   * @param wall the broker's clock
   * @param retention how long a topic's dead letters are kept, also after the topic was deleted
   * @param amnesia whether nothing may be on disk
   */
  public ArtemisBroker(
      BrokerAccess access,
      InstantSource clock,
      InstantSource wall,
      Function<TopicName, Duration> retention,
      boolean amnesia) {
    this.connections = new BrokerConnections(access);
    this.links = new BrokerLinks(connections);
    this.names = new NamesOnDisk(access.inProcess());
    this.admin = new BrokerAdmin(connections);
    this.asked = BrokerConnections.impatient(access);
    this.asking = BrokerAdmin.impatient(asked);
    this.logs = new BatchLogQueues(connections, admin, System::nanoTime, LockSupport::parkNanos);
    this.letters = new LetterSegments(admin, clock);
    this.clock = new BrokerClock(clock, wall);
    this.retention = retention;
    this.amnesia = amnesia;
    this.standby = new Standby(admin);
    this.remoteCheck = new RemoteBrokerCheck(admin, connections, System::nanoTime);
  }

  @Override
  public BrokerSession open() {
    int mostDeliveries = mostDeliveries();
    // Opened last: nobody would close the link if a later step failed.
    return new ArtemisBrokerSession(
        links.open(QueueNames.UNDELIVERABLE),
        names,
        stagedDeadLetters(),
        clock,
        retention,
        mostDeliveries);
  }

  /**
   * The broker's own limit. The broker checks it only when a delivery is returned, which a kill
   * prevents.
   */
  private int mostDeliveries() {
    int most =
        JsonUtil.readJsonObject(admin.attributes().addressSettings(QueueNames.SAMPLE))
            .getInt("maxDeliveryAttempts", AddressSettings.DEFAULT_MAX_DELIVERY_ATTEMPTS);
    return most > 0 ? most : Integer.MAX_VALUE;
  }

  @Override
  public boolean hasLog(WorkerId worker) {
    return logs.has(worker);
  }

  @Override
  public void makeLog(WorkerId worker, BatchId last) {
    logs.make(worker, last);
  }

  @Override
  public List<WorkerId> loggedWorkers() {
    return admin.queues().names().stream()
        .map(queue -> QueueNames.workerOf(queue.toString()))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  @Override
  public void requireAnswer() {
    asking.requireAnswer();
  }

  @Override
  public void createQueues(Topic topic) {
    asking.requireAnswer();
    // Dead letters first: without them, a shard's queue could lose messages that it must
    // quarantine.
    letters.create(topic.name());
    admin.queues().create(QueueNames.mark(topic.name(), topic.id()));
    shards(topic).forEach(admin.queues()::create);
  }

  @Override
  public Map<TopicName, TopicQueues> topics() {
    return new TopicLayout(admin.queues().names()).topics();
  }

  @Override
  public List<TopicName> createMissing(Collection<Topic> topics) {
    Set<SimpleString> there = Set.copyOf(admin.queues().names());
    List<Topic> lacking =
        topics.stream()
            .filter(topic -> !letters.exist(topic.name()) || !there.containsAll(needed(topic)))
            .toList();
    lacking.forEach(this::createQueues);
    new TopicLayout(there).marksBut(topics).forEach(admin.queues()::delete);
    return lacking.stream().map(Topic::name).toList();
  }

  private static List<SimpleString> needed(Topic topic) {
    List<SimpleString> queues = new ArrayList<>(shards(topic));
    queues.add(QueueNames.mark(topic.name(), topic.id()));
    return queues;
  }

  private static List<SimpleString> shards(Topic topic) {
    return topic.shards().stream().map(QueueNames::of).toList();
  }

  @Override
  public void deleteQueues(Topic topic) {
    asking.requireAnswer();
    shards(topic).forEach(admin.queues()::delete);
    letters.delete(topic.name());
    admin.queues().delete(QueueNames.mark(topic.name(), topic.id()));
  }

  @Override
  public void deleteQueues(Topic topic, BooleanSupplier isEnding) {
    asking.requireAnswer();
    List<SimpleString> queues = new ArrayList<>(shards(topic));
    queues.addAll(new TopicLayout(admin.queues().names()).letters(topic.name()));
    queues.add(QueueNames.mark(topic.name(), topic.id()));
    queues.forEach(queue -> admin.queues().delete(queue, isEnding));
    letters.forget(topic.name());
  }

  @Override
  public void forgetLetters(TopicName topic) {
    letters.forget(topic);
  }

  @Override
  public void deleteQueue(ShardId shard) {
    admin.queues().delete(QueueNames.of(shard));
  }

  @Override
  public Contents contents() {
    return new QueueCountReader(admin).read();
  }

  @Override
  public long messages(ShardId shard) {
    return asking.queues().countMessages(QueueNames.of(shard));
  }

  @Override
  public Held held(ShardId shard) {
    SimpleString queue = QueueNames.of(shard);
    long messages = admin.queues().countMessages(queue);
    return messages == 0 ? Held.NOTHING : new Held(messages, admin.queues().bytes(queue));
  }

  @Override
  public QueueCounts counts(ShardId shard) {
    QueueCounts counts = asking.queues().counts(QueueNames.of(shard));
    long age = counts.oldestReadyAgeMillis() - clock.ahead().toMillis();
    return new QueueCounts(counts.messages(), counts.scheduled(), Math.max(0, age));
  }

  @Override
  public long removeScheduled(ShardId shard) {
    asking.requireAnswer();
    return admin.scheduled().removeAll(QueueNames.of(shard));
  }

  @Override
  public List<ScheduledMessage> scheduled(
      ShardId shard, ScheduledMessage.Position after, int most) {
    return scheduled(shard).page(after, most);
  }

  @Override
  public boolean removeScheduled(ShardId shard, MsgId msgId) {
    OptionalLong found = scheduled(shard).find(msgId);
    // A message that became due meanwhile is still there, unless a session holds it.
    return found.isPresent() && admin.scheduled().remove(QueueNames.of(shard), found.getAsLong());
  }

  @Override
  public Searched search(ShardId shard, MsgId msgId) {
    return new SearchedQueue(asking, QueueNames.of(shard), clock).search(msgId);
  }

  @Override
  public boolean hasUndeliverable() {
    return asking.queues().countMessages(QueueNames.UNDELIVERABLE) > 0;
  }

  private ScheduledQueue scheduled(ShardId shard) {
    return new ScheduledQueue(asking.scheduled().list(QueueNames.of(shard)), clock);
  }

  @Override
  public int removeDeadLetters(TopicName topic, int most) {
    try (Connection connection = connections.open(true)) {
      int removed = 0;
      for (LetterSegment segment : letters.of(topic)) {
        long there = connection.session().queueQuery(segment.queue()).getMessageCount();
        int wanted = (int) Math.min(most - removed, there);
        int got = removeFirst(connection.session(), segment.queue(), wanted);
        removed += got;
        if (got < wanted) {
          // The next queue's letters are younger than the ones missing here.
          break;
        }
      }
      return removed;
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to remove dead letters", e);
    }
  }

  private static int removeFirst(ClientSession session, SimpleString queue, int most)
      throws ActiveMQException {
    if (most == 0) {
      return 0;
    }
    int removed = 0;
    try (ClientConsumer consumer =
        session.createConsumer(queue, null, LetterSegments.WHOLE, -1, false)) {
      ClientMessage next;
      while (removed < most && (next = consumer.receive(READ_BACK_MILLIS)) != null) {
        next.individualAcknowledge();
        removed++;
      }
      session.commit();
    }
    return removed;
  }

  @Override
  public long deadLetters(TopicName topic) {
    return letters.count(topic);
  }

  @Override
  public List<String> violations() {
    List<String> remote = remoteCheck.violations();
    List<String> settings = new SettingsCheck(admin, amnesia).violations();
    return Stream.concat(remote.stream(), settings.stream()).toList();
  }

  /** Whether another broker waits. */
  public Standby standby() {
    return standby;
  }

  /**
   * Refuses a broker that would write messages to disk in amnesia.
   *
   * @throws ProfileException if it would
   */
  public void requireProfile() {
    if (amnesia && admin.attributes().isOn("PersistenceEnabled")) {
      throw new ProfileException("In amnesia the broker must not write messages to disk");
    }
  }

  /** Whether a question has waited so long that the broker counts as silent. */
  public boolean isSilent() {
    return connections.access().state().isSilent();
  }

  /** How far the broker's clock is ahead of this service's; negative when it is behind. */
  public Duration ahead() {
    return clock.ahead();
  }

  /**
   * Makes the broker release every delayed message, for use when its clock was set back and it
   * would hold them too long. Messages that are not due are delayed again when they are received.
   */
  public void releaseDelayed() {
    admin.queues().names().stream()
        .filter(queue -> QueueNames.shardOf(queue.toString()).isPresent())
        .forEach(admin.scheduled()::deliverAll);
  }

  private StagedDeadLetters stagedDeadLetters() {
    return new StagedDeadLetters(letters, positions, died -> listener.accept(died));
  }

  /**
   * Registers a listener for failed writes of this process's broker. It runs on the thread that
   * failed, before the broker goes on.
   */
  public void onDiskError(Consumer<String> told) {
    ActiveMQServer server = connections.access().inProcess().get();
    if (server != null) {
      server.registerIOCriticalErrorListener(
          (cause, message, file) -> told.accept((file == null ? "" : file + ": ") + message));
    }
  }

  /** Registers the listener that gets dead letters once they are on disk; it must not throw. */
  public void onDeath(Consumer<List<DeadLetter>> told) {
    listener = told;
  }

  /** The port that reads dead letters. */
  public LetterQueues letterQueues() {
    return new ArtemisLetters(connections, letters, admin, asking, positions, clock);
  }

  /** The port that tells which jobs may discard dead letters. */
  public DiscardPermits discardPermits() {
    return new ArtemisPermits(admin);
  }

  /** The port that moves dead letters. */
  public LetterMover letterMover() {
    return new ArtemisMover(connections, names, letters, clock);
  }

  /** Makes all later letters sort after {@code newest}, the last one of an earlier process. */
  public void continuePositionsAfter(LetterPosition newest) {
    positions.continueAfter(newest);
  }

  /** Lists the queues of dead letters again, of which other nodes create and remove some. */
  public void refreshLetters() {
    letters.refresh();
  }

  /** Deletes queues of dead letters that stay empty, except each topic's last; returns how many. */
  public int removeEmptyLetters() {
    return letters.removeEmpty();
  }

  /** Bytes of the broker's memory that the messages of all queues take. */
  public long memory() {
    return admin.attributes().number(ResourceNames.BROKER, "AddressMemoryUsage");
  }

  /**
   * Whether the disk of a broker in another process is nearly full. The broker's own limit would
   * also hold back acknowledgements; without that limit, the broker goes on until the disk is full.
   */
  public boolean isDiskFull() {
    return connections.isRemote() && admin.attributes().diskUsage() >= FULL_PERCENT;
  }

  /** The number of messages that the broker gave up on and that are not yet sorted. */
  public long undeliverable() {
    return admin.queues().countMessages(QueueNames.UNDELIVERABLE);
  }

  /**
   * A new sorter of messages that the broker gave up on.
   *
   * @param unsorted creates the topic {@link TopicDirectory#UNSORTED} if it is missing
   * @param lives decides on expired messages
   */
  public UndeliverableSorter undeliverableSorter(
      Runnable unsorted, UndeliverableSorter.Lives lives) {
    return new UndeliverableSorter(
        connections, names, letters, stagedDeadLetters(), clock, retention, unsorted, lives);
  }

  /** Closes the broker's own connections; close its sessions first. */
  @Override
  public void close() {
    asking.close();
    admin.close();
    asked.close();
    connections.close();
  }
}
