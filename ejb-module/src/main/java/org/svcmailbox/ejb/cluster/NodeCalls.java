package org.svcmailbox.ejb.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
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
import org.svcmailbox.core.route.CountsAnswer;
import org.svcmailbox.core.route.CountsExchange;
import org.svcmailbox.core.route.CountsLog;
import org.svcmailbox.core.route.CountsQuestion;
import org.svcmailbox.core.route.ForwardedCall;
import org.svcmailbox.core.route.GroupOwners;
import org.svcmailbox.core.route.GroupQuestions;
import org.svcmailbox.core.route.GroupWorker;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.PeerAnswer;
import org.svcmailbox.core.route.PeerCalls;
import org.svcmailbox.core.route.PeerCounts;
import org.svcmailbox.core.route.PeerQuestions;
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

  /** The time between two looks for the owner of a group. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final RoutedMailbox routed;
  private final PeerCalls peers;
  private final CountsLog log;
  private final PeerCounts counts;
  private final CountsExchange exchange;
  private final GroupOwners groups;
  private final GroupQuestions questions;
  private final PeerThreads threads;
  private final Tasks tasks = new Tasks("route");
  private @Nullable SupervisedThread thread;

  /**
   * The parts of this process that calls of clients and other nodes use.
   *
   * @param ready says when the mailbox has messages
   * @param topics finds a topic, or throws as {@link MailboxService#send}
   * @param worker carries out parts of operators' calls
   * @param log tells other nodes its counts
   * @param counts takes those of other nodes
   */
  public record Local(
      MailboxService mailbox,
      ReadyService ready,
      Function<TopicName, Topic> topics,
      GroupWorker worker,
      CountsLog log,
      PeerCounts counts) {}

  /**
   * @param capabilities those of this process, once its start is complete
   * @param factory makes the threads that take answers
   */
  public NodeCalls(
      MailboxSettings.Cluster settings,
      Local local,
      Owners owners,
      Supplier<PeerCapabilities> capabilities,
      ThreadFactory factory) {
    threads = new PeerThreads(factory);
    log = local.log();
    counts = local.counts();
    HttpPeerTransport transport =
        new HttpPeerTransport(
            () -> capabilities.get().peerToken(),
            PeerTrust.of(settings).orElse(null),
            threads.executor());
    exchange = new CountsExchange(owners, transport.counts(), counts, System::nanoTime);
    groups =
        new GroupOwners(
            owners,
            local.worker(),
            transport.groups(),
            settings.patience(),
            System::nanoTime,
            () -> LockSupport.parkNanos(LOOK_EVERY.toNanos()));
    PeerCalls.Clients clients =
        (token, client) -> capabilities.get().authenticateForwarded(token, client);
    questions = new GroupQuestions(local.worker(), clients, System::nanoTime);
    routed =
        new RoutedMailbox(
            new RoutedMailbox.Ports(
                local.mailbox(),
                owners,
                transport.calls(),
                transport.ready(),
                local.topics(),
                System::nanoTime,
                RandomGenerator.of("L64X128MixRandom"),
                settings.patience()));
    peers = new PeerCalls(local.mailbox(), local.ready(), clients, System::nanoTime);
  }

  /** The mailbox for this node's clients. */
  public MailboxService mailbox() {
    return routed;
  }

  /** The mailbox for other nodes. */
  public PeerService peers() {
    return peers;
  }

  /** Answers the questions of other nodes. */
  public PeerQuestions questions() {
    return new PeerQuestions() {
      @Override
      public CountsAnswer counts(CountsQuestion question) {
        return log.answer(question);
      }

      @Override
      public PeerAnswer answer(ForwardedCall question) {
        return questions.answer(question);
      }
    };
  }

  /** Reaches the nodes that serve groups, for operators' calls. */
  public GroupOwners groups() {
    return groups;
  }

  /** Has calls that wait look again, and asks other nodes for their counts, from now on. */
  public void start(Supervision supervision, ThreadFactory factory) {
    thread = supervision.start("mailbox-route", tasks, factory, new Turns(this::next));
  }

  private long next() {
    int unused = routed.tick();
    exchange.tick();
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
    return List.of(routed, counts, groups, questions, tasks, threads.tasks());
  }
}
