package org.svcmailbox.ejb.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.PeerCalls;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.route.RoutedMailbox;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.core.topic.Topic;

/**
 * The calls of this node's clients, wherever their groups are, and the calls of other nodes. A
 * thread of its own has calls that wait look again.
 */
public final class NodeCalls {
  private static final Duration LAST = Duration.ofSeconds(1);

  private final RoutedMailbox routed;
  private final PeerCalls peers;
  private final PeerThreads threads;
  private final Tasks tasks = new Tasks("route");
  private @Nullable SupervisedThread thread;

  /**
   * @param local the mailbox of this process
   * @param ready says when it has messages
   * @param topics finds a topic, or throws as {@link MailboxService#send}
   * @param capabilities those of this process, once its start is complete
   * @param factory makes the threads that take answers
   */
  public NodeCalls(
      MailboxSettings.Cluster settings,
      MailboxService local,
      ReadyService ready,
      Function<TopicName, Topic> topics,
      Owners owners,
      Supplier<PeerCapabilities> capabilities,
      ThreadFactory factory) {
    threads = new PeerThreads(factory);
    routed =
        new RoutedMailbox(
            new RoutedMailbox.Ports(
                local,
                owners,
                new HttpPeerTransport(
                    () -> capabilities.get().peerToken(),
                    PeerTrust.of(settings).orElse(null),
                    threads.executor()),
                topics,
                System::nanoTime,
                RandomGenerator.of("L64X128MixRandom"),
                settings.patience()));
    peers =
        new PeerCalls(
            local,
            ready,
            (token, client) -> capabilities.get().authenticateForwarded(token, client),
            System::nanoTime);
  }

  /** The mailbox for this node's clients. */
  public MailboxService mailbox() {
    return routed;
  }

  /** The mailbox for other nodes. */
  public PeerService peers() {
    return peers;
  }

  /** Has calls that wait look again from now on. */
  public void start(Supervision supervision, ThreadFactory factory) {
    thread = supervision.start("mailbox-route", tasks, factory, new Turns(this::next));
  }

  private long next() {
    int unused = routed.tick();
    return RoutedMailbox.TICK.toNanos();
  }

  /** Answers calls that wait; later ones find their node at once or are refused. */
  public void endWaits() {
    routed.end();
  }

  /** Ends the threads. Call only when no call is under way. */
  public void close() {
    SupervisedThread started = thread;
    if (started != null) {
      started.end(LAST);
    }
    threads.end(LAST);
  }

  /** The metrics of calls to other nodes. */
  public List<MetricSource> metrics() {
    return List.of(routed, tasks, threads.tasks());
  }
}
