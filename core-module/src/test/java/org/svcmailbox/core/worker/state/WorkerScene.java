package org.svcmailbox.core.worker.state;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.SampleStart;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.BrokerQueues;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/** The context of the only worker, with a session on an in-memory broker and a topic of a shard. */
public final class WorkerScene {
  public static final WorkerId WORKER = WorkerId.of(0);
  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.workers", "1", "mailbox.ready_shards", "1", "mailbox.fair_share", "100");

  public final TestTime time = new TestTime();
  public final InMemoryBroker broker = new InMemoryBroker(time);
  public final InMemoryProjectionStore store = new InMemoryProjectionStore();
  public final SendRegistry registry = new SendRegistry(store, time::nanos);
  public final Limits limits;
  public final Topic topic;
  public final Inbox<Command> inbox = new Inbox<>(100, time);
  public final WorkerContext context;
  private long messages;

  public WorkerScene() {
    MailboxSettings settings =
        SettingsLoader.load(
            key -> Optional.ofNullable(SETTINGS.get(key)), SETTINGS.keySet(), /* cores= */ 2);
    limits = new Limits(settings, new TestDisk(), time);
    limits.refreshDisk();
    TopicDirectory topics =
        new TopicDirectory(new InMemoryTopicStore(id -> {}), new BrokerQueues(broker), settings);
    topic = topics.require(new TopicName("orders"));
    WorkerPorts ports =
        new WorkerPorts(limits, broker, topics, time, time, new Random(1), Runnable::run);
    context = new WorkerContext(new OwnedSlots(WORKER, Groups.ofWorkers(1)), ports);
    registry.logsMade(Set.of(WORKER));
    SampleStart.begin(registry);
    broker.makeLog(WORKER, BatchId.NONE);
    open();
  }

  /** Opens a session, after the loss of one that it had. */
  public void open() {
    broker.crash();
    context.session(broker.open(), time.instant());
  }

  /** Ends a step: its answers are given. */
  public void commit() {
    context.session().commit();
    context.counts().onCommit();
    context.replies().onCommit();
  }

  public ShardState shard() {
    return context.shard(topic.shard(0));
  }

  /** A message that is in no queue yet. */
  public StoredMessage message() {
    return SampleMessages.message(topic.shard(0), ++messages, time.instant());
  }

  /** Puts a message at the end of the shard's queue. */
  public void put(StoredMessage message) {
    broker.putMessage(topic.shard(0), message);
  }

  /** Takes the first message out of the queue. */
  public Delivery fetch() {
    List<Delivery> first = context.session().fetch(topic.shard(0), 1, true).deliveries();
    return first.get(0);
  }

  /** Leases a delivery to the first client until a deadline. */
  public Lease lease(Delivery delivery, long deadline) {
    Lease lease =
        new Lease(
            shard(),
            topic,
            delivery,
            new Receipt("r" + delivery.message().envelope().seq()),
            SampleCallers.capability(1).holder(),
            deadline,
            deadline);
    limits.inflightLimits().takeOver(lease);
    context.leases().add(lease);
    return lease;
  }

  /** A counter of the worker, by the value of its tag. */
  public double count(Family family, String tag) {
    return limits.workerMetrics().metrics().stream()
        .filter(metric -> metric.family() == family && metric.tags().containsValue(tag))
        .findFirst()
        .orElseThrow()
        .now();
  }
}
