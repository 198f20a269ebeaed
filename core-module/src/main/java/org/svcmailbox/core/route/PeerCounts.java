package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.TopicFigures;

/**
 * The counts that each other node last told. Counts of a dead node, and counts older than {@link
 * #FRESH}, are left out: another node may count the same messages by then. Any thread may read; one
 * at a time tells of a node.
 */
public final class PeerCounts implements OtherCounts, MetricSource {
  /** How often each node is asked. */
  public static final Duration EVERY = Duration.ofSeconds(1);

  /** How long counts are shown; three questions in a row were lost by then. */
  static final Duration FRESH = EVERY.multipliedBy(3);

  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  private final int groups;
  private final Supplier<Set<Integer>> here;
  private final Ticker ticker;
  private final Map<NodeId, Counts> nodes = new ConcurrentHashMap<>();

  /** The counts of one life of a node. */
  private static final class Counts {
    private final long life;
    private final long since;
    private final Map<TopicName, TopicFigures> topics = new ConcurrentHashMap<>();
    private volatile long version;
    private volatile Set<Integer> groups = Set.of();

    /** When all of them were last told; null before the first time. */
    private volatile @Nullable Long at;

    Counts(long life, long since) {
      this.life = life;
      this.since = since;
    }

    void add(CountsAnswer answer, long now) {
      answer.changed().forEach(told -> topics.put(told.topic(), told.figures()));
      groups = answer.groups();
      version = answer.version();
      if (answer.isLast()) {
        at = now;
      }
    }

    long age(long now) {
      Long told = at;
      return now - (told == null ? since : told);
    }

    boolean isFresh(long now) {
      return at != null && age(now) <= FRESH.toNanos();
    }
  }

  /**
   * @param groups of the cluster
   * @param here the groups that this node serves
   */
  public PeerCounts(int groups, Supplier<Set<Integer>> here, Ticker ticker) {
    this.groups = groups;
    this.here = here;
    this.ticker = ticker;
  }

  /** Forgets all nodes but these, which live. */
  void retain(Collection<NodeId> alive) {
    nodes.keySet().retainAll(Set.copyOf(alive));
    alive.forEach(node -> nodes.computeIfAbsent(node, none -> new Counts(0, ticker.nanos())));
  }

  /** The next question to a node. */
  CountsQuestion question(NodeId node) {
    Counts known = nodes.get(node);
    return known == null ? CountsQuestion.ALL : new CountsQuestion(known.life, known.version);
  }

  /** Takes the answer to that question, unless the node is dead meanwhile. */
  void told(NodeId node, CountsAnswer answer) {
    long now = ticker.nanos();
    Counts counts =
        nodes.computeIfPresent(
            node,
            (name, known) ->
                known.life == answer.life() ? known : new Counts(answer.life(), known.since));
    if (counts != null) {
      counts.add(answer, now);
    }
  }

  @Override
  public TopicFigures of(TopicName topic) {
    long now = ticker.nanos();
    TopicFigures sum = TopicFigures.NONE;
    for (Counts counts : nodes.values()) {
      TopicFigures figures = counts.topics.get(topic);
      if (figures != null && counts.isFresh(now)) {
        sum = sum.plus(figures);
      }
    }
    return sum;
  }

  @Override
  public CountedNodes counted() {
    long now = ticker.nanos();
    Set<Integer> served = new HashSet<>(here.get());
    Set<String> silent = new TreeSet<>();
    int counted = 1;
    long age = 0;
    for (Map.Entry<NodeId, Counts> node : nodes.entrySet()) {
      Counts counts = node.getValue();
      if (counts.isFresh(now)) {
        counted++;
        served.addAll(counts.groups);
        age = Math.max(age, counts.age(now));
      } else {
        silent.add(node.getKey().value());
      }
    }
    return new CountedNodes(
        counted,
        List.copyOf(silent),
        Math.max(0, groups - served.size()),
        Duration.ofNanos(age).toMillis());
  }

  @Override
  public List<Metric> metrics() {
    return nodes.keySet().stream()
        .map(node -> Family.PEER_COUNTS_AGE_SECONDS.ofDouble(() -> age(node), node.value()))
        .toList();
  }

  private double age(NodeId node) {
    Counts counts = nodes.get(node);
    return counts == null ? 0 : counts.age(ticker.nanos()) / NANOS;
  }
}
