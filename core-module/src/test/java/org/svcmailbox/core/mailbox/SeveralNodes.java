package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toSet;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.bounds.TestDisk;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.SteadyClock;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;

/**
 * Mailboxes that share a broker and a database, stepped by hand on one thread. Each has some of the
 * groups. A stopped one is not stepped, and learns nothing.
 */
final class SeveralNodes {
  static final TopicName TOPIC = new TopicName("orders");

  /** A mailbox, and the sessions that it opened. */
  final class Node {
    private final Set<BrokerSession> sessions = new LinkedHashSet<>();
    final Mailbox mailbox;
    boolean isStopped;
    private int opened;

    private Node(int number, GroupsHere here) {
      Random random = new Random(number);
      Broker own =
          (Broker)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {Broker.class},
                  (proxy, method, arguments) -> {
                    try {
                      Object result = method.invoke(broker, arguments);
                      if (result instanceof BrokerSession session) {
                        sessions.add(session);
                        opened++;
                      }
                      return result;
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
      mailbox =
          new Mailbox(
              settings,
              here,
              new Mailbox.Ports(
                  own,
                  new Mailbox.Stores(store, topics, audited::add),
                  new TestDisk(),
                  time,
                  clock,
                  random,
                  Runnable::run,
                  caller -> {}));
      mailbox.prepare();
    }

    CompletableFuture<Boolean> take(int group) {
      return mailbox.workers().take(WorkerId.of(group));
    }

    CompletableFuture<Void> giveAway(int group) {
      return mailbox.workers().giveAway(WorkerId.of(group)).thenApply(done -> null);
    }

    boolean holds(int group) {
      return mailbox.workers().holds(WorkerId.of(group));
    }

    /** Leases that came to it with groups, and were taken over or returned. */
    int handed(String result) {
      return mailbox.metrics().stream()
          .filter(metric -> metric.family() == Family.HANDOVER_LEASES_TOTAL)
          .filter(metric -> metric.tags().containsValue(result))
          .mapToInt(metric -> (int) metric.now())
          .sum();
    }

    /** How many sessions it has opened so far. */
    int opened() {
      return opened;
    }

    /** Whether it knows which sessions the broker ended. */
    boolean isAware() {
      return sessions.stream().noneMatch(broker::isUnaware);
    }

    /** Its connections tell it which sessions the broker ended. */
    void learn() {
      sessions.forEach(broker::tellEnd);
    }

    SendOutcome send(String key) {
      byte[] payload = key.getBytes(StandardCharsets.UTF_8);
      CompletableFuture<SendOutcome> reply =
          mailbox
              .send(
                  SampleCallers.OPERATOR,
                  new SendRequest(
                      TOPIC,
                      Payload.owning(payload),
                      new IdemKey(key),
                      Attributes.NONE,
                      null,
                      null,
                      Duration.ZERO,
                      null))
              .toCompletableFuture();
      run();
      return MailboxRig.answered(reply);
    }

    PendingRecv submit(int most, Duration visibility, Duration wait) {
      PendingRecv call =
          mailbox.recv(
              SampleCallers.OPERATOR,
              new RecvRequest(TOPIC, visibility, most, Long.MAX_VALUE, wait, null));
      run();
      return call;
    }

    RecvOutcome recv(int most, Duration visibility) {
      return MailboxRig.answered(submit(most, visibility, Duration.ZERO).outcome());
    }

    List<LeasedMessage> leased(int most, Duration visibility) {
      return recv(most, visibility) instanceof Delivered delivered
          ? delivered.messages()
          : List.of();
    }

    SettleOutcome settle(SettleRequest request) {
      CompletableFuture<SettleOutcome> reply =
          mailbox.settle(SampleCallers.OPERATOR, request).toCompletableFuture();
      run();
      return MailboxRig.answered(reply);
    }

    /** Stops the process, as a signal does. */
    void stop() {
      isStopped = true;
    }

    /** The broker ends what a stopped process has. */
    void loseSessions() {
      sessions.forEach(broker::endQuietly);
    }

    /** Kills the process: the broker ends what it has. */
    void die() {
      stop();
      loseSessions();
    }

    /** Begins another process in the place of this one. */
    Node successor() {
      Node next = new Node(++made, GroupsHere.none(among));
      nodes.set(nodes.indexOf(this), next);
      return next;
    }

    void goOn() {
      isStopped = false;
      run();
    }
  }

  final TestTime time = new TestTime();
  final SteadyClock clock = new SteadyClock(time, time);
  final InMemoryBroker broker = new InMemoryBroker(clock);
  final InMemoryProjectionStore store = new InMemoryProjectionStore();
  final List<Node> nodes = new ArrayList<>();

  /** The changes by operators, at any node. */
  final List<AuditEntry> audited = new CopyOnWriteArrayList<>();

  private final InMemoryTopicStore topics =
      new InMemoryTopicStore(store::deleteTopic, store::keepTopic);
  private final MailboxSettings settings;
  private final Groups among;
  private int made;

  /** Starts them; none has a group. */
  SeveralNodes(int count, int workers, int groups, int shards) {
    Map<String, String> values = new HashMap<>();
    values.put("mailbox.workers", Integer.toString(workers));
    values.put("mailbox.ready_shards", Integer.toString(shards));
    values.put("mailbox.max_attempts", "1000");
    values.put("mailbox.topics.auto_create", "false");
    values.put("mailbox.t_replay", "7d");
    values.put("mailbox.projection.entries", "128");
    settings = MailboxRig.settings(values);
    store.topics(() -> topics.all().stream().map(stored -> stored.id()).collect(toSet()));
    among = new Groups(groups, workers);
    broker.divide(among::groupOf);
    // The first start makes the logs and the topic.
    Node first = new Node(0, GroupsHere.all(among));
    nodes.add(first);
    CompletableFuture<?> put =
        CompletableFuture.runAsync(
            () ->
                first
                    .mailbox
                    .topicAdmin()
                    .put(SampleCallers.OPERATOR, TOPIC, TopicOverrides.NONE, Precondition.NONE));
    while (!put.isDone()) {
      run();
    }
    put.join();
    first.mailbox.drainHere();
    nodes.clear();
    while (made < count) {
      nodes.add(new Node(++made, GroupsHere.none(among)));
    }
    run();
  }

  Topic topic() {
    return nodes.get(0).mailbox.directory().existing(TOPIC);
  }

  /** The slot of a key's shard. */
  int slot(String key) {
    return topic().shardFor(new IdemKey(key), null).slot();
  }

  /** Steps all that are not stopped until nothing more happens at this moment. */
  void run() {
    int quiet = 0;
    for (int i = 0; quiet < 3; i++) {
      if (i > 10_000) {
        throw new AssertionError("the nodes never come to rest");
      }
      int done = 0;
      for (Node node : nodes) {
        done += node.isStopped ? 0 : node.mailbox.step();
        project(node);
      }
      quiet = done == 0 ? quiet + 1 : 0;
      broker.tick();
    }
  }

  private static void project(Node node) {
    if (!node.isStopped) {
      try {
        node.mailbox.projector().drain();
      } catch (UnavailableException e) {
        // A later call does it.
      }
    }
  }

  void pass(Duration by) {
    time.advance(by);
    run();
  }
}
