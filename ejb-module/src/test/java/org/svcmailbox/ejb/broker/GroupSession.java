package org.svcmailbox.ejb.broker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.broker.SessionLog;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.link.BrokerAccess;

/**
 * One session of a node that has the logs of several groups, each with one shard. A group is named
 * by the worker whose log it is today.
 */
final class GroupSession implements AutoCloseable {
  /** More messages than a shard has. */
  private static final int ALL = 1_000;

  private final ArtemisBroker broker;
  private final BrokerSession session;
  private final Map<WorkerId, Group> groups = new TreeMap<>();
  private final AutoCloseable also;

  /** A group as this session sees it. */
  private static final class Group {
    private final SessionLog entries;
    private final BatchLog log;
    private final List<Delivery> taken = new ArrayList<>();
    private BatchId newest = BatchId.NONE;

    Group(SessionLog entries, long life) {
      this.entries = entries;
      this.log = new BatchLog(SampleLog.WINDOW, life);
    }
  }

  /**
   * Opens a session.
   *
   * @param broker closed with it
   * @param also closed with it
   */
  GroupSession(ArtemisBroker broker, AutoCloseable also) {
    this.broker = broker;
    this.session = broker.open();
    this.also = also;
  }

  /** The broker for one session. */
  static ArtemisBroker broker(BrokerAccess access) {
    InstantSource clock = InstantSource.system();
    return new ArtemisBroker(access, clock, clock, topic -> Duration.ofDays(1), false);
  }

  /** A group's shard. */
  static ShardId shard(WorkerId group) {
    return new ShardId(new TopicName("group"), group.number());
  }

  /** Begins to receive a group's log; nothing comes while another session has it. */
  void attach(WorkerId group) {
    attach(group, /* life= */ 7);
  }

  /** As above, for a process that is told from others. */
  void attach(WorkerId group, long life) {
    groups.put(group, new Group(session.log(group), life));
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
    List<BatchLogEntry> arrived = group.entries.receive(atMost);
    arrived.forEach(entry -> group.newest = entry.batch());
    return arrived;
  }

  /** Takes all messages that a group's shard has ready, and holds them; returns their numbers. */
  List<Integer> take(WorkerId group) {
    List<Delivery> all = new ArrayList<>();
    for (List<Delivery> some = fetch(group); !some.isEmpty(); some = fetch(group)) {
      all.addAll(some);
    }
    group(group).taken.addAll(all);
    return SampleMessages.seqs(all).stream().map(Math::toIntExact).toList();
  }

  private List<Delivery> fetch(WorkerId group) {
    return session.fetch(shard(group), ALL, /* certain= */ true).deliveries();
  }

  /** Stages the end of the first messages that this session took from a group's shard. */
  void acknowledge(WorkerId group, int count) {
    List<Delivery> first = group(group).taken.subList(0, count);
    first.forEach(session::acknowledge);
    first.clear();
  }

  /**
   * Stages a group's next batch with its messages.
   *
   * @param applied the last batch that the database has
   * @param fenced whether it acknowledges the log's oldest entry, as each batch must
   */
  void stage(Batch batch, BatchId applied, List<Integer> messages, boolean fenced) {
    boolean unused = isWhole(batch.worker(), Duration.ofSeconds(10));
    BatchLog.Change change = log(batch.worker()).append(batch.id(), batch.pages(), applied);
    ShardId shard = shard(batch.worker());
    for (int message : messages) {
      session.enqueue(shard, SampleMessages.message(shard, message, Instant.now()), null);
    }
    stage(batch.worker(), change, fenced);
  }

  /** Stages a change of a group's log. */
  void stage(WorkerId group, BatchLog.Change change, boolean fenced) {
    List<BatchLogEntry> ended = fenced ? change.ended() : List.of();
    group(group).entries.stage(new BatchLog.Change(ended, change.added()));
  }

  void commit() {
    session.commit();
  }

  /** Gives back the messages of a group's shard, between transactions. */
  void releaseShard(WorkerId group) {
    session.release(shard(group));
  }

  /** Gives a group's log back, and the group is another's. */
  void releaseLog(WorkerId group) {
    group(group).entries.release();
  }

  /** As of an owner that failed. */
  void fail() {
    session.fail();
  }

  /** Ends the session in order. */
  @Override
  public void close() {
    session.close();
    broker.close();
    try {
      also.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
