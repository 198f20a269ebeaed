package org.svcmailbox.core.cluster;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.time.Ticker;

/** Counts, times and logs how groups come to this node. One thread writes; any thread reads. */
public final class TakeoverWatch implements MetricSource {
  /** Whose groups come to this node. */
  public enum Kind {
    /** A dead node's, or a group that no node had. */
    CRASH,
    /** Groups of a node that lives. */
    PLANNED,
    /** Its own again, after a lost session. */
    SAME;

    /** The name in metrics. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Logger LOG = System.getLogger(TakeoverWatch.class.getName());

  private final NodeId self;
  private final Ticker ticker;
  private final Map<Integer, Begun> waiting = new HashMap<>();
  private final Map<Integer, Long> epochs = new HashMap<>();
  private final Map<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);
  private final Histogram times = new Histogram(Family.CLUSTER_TAKEOVER_SECONDS);

  private record Begun(Kind kind, String from, long nanos) {}

  TakeoverWatch(NodeId self, Ticker ticker) {
    this.self = self;
    this.ticker = ticker;
    for (Kind kind : Kind.values()) {
      counts.put(kind, new AtomicLong());
    }
  }

  /** How many groups came to this node in this way. */
  public long count(Kind kind) {
    AtomicLong count = counts.get(kind);
    return count == null ? 0 : count.get();
  }

  @Override
  public List<Metric> metrics() {
    return counts.entrySet().stream()
        .map(one -> Family.CLUSTER_TAKEOVERS_TOTAL.of(one.getValue()::get, one.getKey().text()))
        .toList();
  }

  /** From the wish to the service of a group. */
  @Override
  public List<Distribution> distributions() {
    return List.of(times);
  }

  void begun(int group, ClusterView view) {
    boolean isAlive = view.holderOf(group).isPresent();
    Kind kind = view.isHolder(self, group) ? Kind.SAME : isAlive ? Kind.PLANNED : Kind.CRASH;
    String from =
        Optional.ofNullable(view.holders().get(group))
            .map(holder -> holder.node().value())
            .orElse("no node");
    waiting.put(group, new Begun(kind, from, ticker.nanos()));
  }

  void ended(int group) {
    waiting.remove(group);
    if (epochs.remove(group) != null) {
      LOG.log(Level.INFO, "Node {0} gives group {1} away", self, group);
    }
  }

  void served(int group, long epoch) {
    Long before = epochs.put(group, epoch);
    Begun begun = waiting.remove(group);
    if (begun != null) {
      Duration took = Duration.ofNanos(ticker.nanos() - begun.nanos());
      times.record(took.toNanos());
      count(begun.kind(), group, epoch, begun.from(), took);
    } else if (before != null && before != epoch) {
      count(Kind.SAME, group, epoch, self.value(), Duration.ZERO);
    }
  }

  private void count(Kind kind, int group, long epoch, String from, Duration took) {
    counts.computeIfPresent(
        kind,
        (same, count) -> {
          count.incrementAndGet();
          return count;
        });
    LOG.log(
        Level.INFO,
        "Node {0} has group {1} from {2}, epoch {3}, after {4} ms",
        self,
        group,
        from,
        Long.toString(epoch),
        took.toMillis());
  }
}
