package org.svcmailbox.ejb.broker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.codec.BatchLogCodec;
import org.svcmailbox.ejb.codec.BatchLogCodec.DamagedEntryException;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerLink;
import org.svcmailbox.ejb.link.BrokerLinks;
import org.svcmailbox.ejb.link.ShardConsumer;

/**
 * One session of a node that has the logs of several groups, each with one shard. It is the
 * service's link with more than one log; {@link ArtemisBrokerSession} has one. A group is named by
 * the worker whose log it is today.
 */
final class GroupSession implements AutoCloseable {
  private static final SimpleString NUMBER = SimpleString.of("number");

  private final BrokerConnections connections;
  private final BrokerLink link;
  private final Map<WorkerId, Group> groups = new TreeMap<>();
  private final AutoCloseable also;

  /** A group as this session sees it. */
  private static final class Group {
    private final ShardConsumer entries;
    private final BatchLog log;
    private final Map<Long, Received> held = new HashMap<>();
    private final List<Received> taken = new ArrayList<>();
    private BatchId newest = BatchId.NONE;
    private @Nullable ShardConsumer messages;

    Group(ShardConsumer entries, long life) {
      this.entries = entries;
      this.log = new BatchLog(SampleLog.WINDOW, life);
    }
  }

  /**
   * Opens a session.
   *
   * @param anyQueue one that exists
   * @param also closed with it
   */
  GroupSession(BrokerAccess access, SimpleString anyQueue, AutoCloseable also) {
    connections = new BrokerConnections(access);
    link = new BrokerLinks(connections).open(anyQueue);
    this.also = also;
  }

  /** The queue of a group's shard. */
  static SimpleString shard(WorkerId group) {
    return SimpleString.of("mailbox.topic.group." + group);
  }

  /** Begins to receive a group's log; nothing comes while another session has it. */
  void attach(WorkerId group) throws ActiveMQException {
    attach(group, /* life= */ 7);
  }

  /** As above, for a process that is told from others. */
  void attach(WorkerId group, long life) throws ActiveMQException {
    groups.put(group, new Group(link.consume(QueueNames.log(group)), life));
  }

  private Group group(WorkerId group) {
    return requireNonNull(groups.get(group));
  }

  BatchLog log(WorkerId group) {
    return group(group).log;
  }

  /** The last batch, for one who takes what has arrived for the whole log. */
  BatchId newest(WorkerId group) {
    return group(group).newest;
  }

  /** Whether a group's log is whole, or becomes so. */
  boolean isWhole(WorkerId group, Duration patience) {
    Group one = group(group);
    one.log.receive(left -> receive(one, left), System::nanoTime, patience);
    return one.log.isWhole();
  }

  private static List<BatchLogEntry> receive(Group group, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    List<BatchLogEntry> arrived = arrived(group);
    while (arrived.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(500_000);
      arrived = arrived(group);
    }
    return arrived;
  }

  private static List<BatchLogEntry> arrived(Group group) {
    List<BatchLogEntry> arrived = new ArrayList<>();
    try {
      for (Received next = group.entries.next(false); next != null; ) {
        BatchLogEntry entry = BatchLogCodec.decode(next.body());
        group.held.put(entry.number(), next);
        group.newest = entry.batch();
        arrived.add(entry);
        next = group.entries.next(false);
      }
    } catch (ActiveMQException | DamagedEntryException e) {
      throw new UnavailableException("no entries", e);
    }
    return arrived;
  }

  /** Takes all messages that a group's shard has ready, and holds them; returns their numbers. */
  List<Integer> take(WorkerId group) throws ActiveMQException {
    Group one = group(group);
    ShardConsumer from = one.messages == null ? link.consume(shard(group)) : one.messages;
    one.messages = from;
    List<Integer> numbers = new ArrayList<>();
    for (Received next = from.next(true); next != null; next = from.next(true)) {
      one.taken.add(next);
      numbers.add(next.message().getIntProperty(NUMBER));
    }
    return numbers;
  }

  /** Stages the end of the first messages that this session took from a group's shard. */
  void acknowledge(WorkerId group, int count) throws ActiveMQException {
    List<Received> first = group(group).taken.subList(0, count);
    for (Received one : first) {
      one.acknowledgement().stage();
    }
    first.clear();
  }

  /**
   * Stages a group's next batch with its messages.
   *
   * @param applied the last batch that the database has
   * @param fenced whether it acknowledges the log's oldest entry, as each batch must
   */
  void stage(Batch batch, BatchId applied, List<Integer> messages, boolean fenced)
      throws ActiveMQException {
    boolean unused = isWhole(batch.worker(), Duration.ofSeconds(10));
    BatchLog.Change change = log(batch.worker()).append(batch.id(), batch.pages(), applied);
    for (int message : messages) {
      link.send(shard(batch.worker()), message(message));
    }
    stage(batch.worker(), change, fenced);
  }

  /** Stages a change of a group's log. */
  void stage(WorkerId group, BatchLog.Change change, boolean fenced) throws ActiveMQException {
    for (BatchLogEntry ended : fenced ? change.ended() : List.<BatchLogEntry>of()) {
      requireNonNull(group(group).held.remove(ended.number())).acknowledgement().stage();
    }
    for (BatchLogEntry added : change.added()) {
      link.send(QueueNames.log(group), BatchLogCodec.encode(added, Instant.now()));
    }
  }

  private static CoreMessage message(int number) {
    CoreMessage message = new CoreMessage().initBuffer(64);
    message.setDurable(true).setRoutingType(RoutingType.ANYCAST).putIntProperty(NUMBER, number);
    return message;
  }

  void commit() throws ActiveMQException {
    link.commit();
  }

  /** Gives back the messages of a group's shard, between transactions. */
  void releaseShard(WorkerId group) throws ActiveMQException {
    ShardConsumer messages = group(group).messages;
    if (messages != null) {
      messages.close();
    }
  }

  /** Gives a group's log back, and the group is another's. */
  void releaseLog(WorkerId group) throws ActiveMQException {
    group(group).entries.close();
  }

  /** As of an owner that failed. */
  void fail() {
    link.fail();
  }

  /** Ends the session in order. */
  @Override
  public void close() {
    link.close();
    connections.close();
    try {
      also.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
