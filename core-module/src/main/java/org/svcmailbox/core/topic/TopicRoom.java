package org.svcmailbox.core.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.settings.FairShare;

/**
 * The limit on the number of topics, of which each namespace has a fair share. A topic counts from
 * the start of its creation to the end of its deletion. Any thread.
 */
final class TopicRoom implements MetricSource {
  /** When to retry, although only an operator can make room. */
  private static final Duration LATER = Duration.ofMinutes(1);

  private final int most;
  private final FairShare share;
  private final Map<String, Long> namespaces = new HashMap<>();
  private int used;

  TopicRoom(int most, FairShare share) {
    this.most = most;
    this.share = share;
  }

  /** Throws {@link SaturatedException} if there are too many topics, in all or in the namespace. */
  synchronized void take(TopicName name) {
    String namespace = name.namespace();
    if (used >= most) {
      throw full("there are " + most + " topics already");
    }
    if (!share.allows(most, used + 1, namespaces.getOrDefault(namespace, 0L), 1)) {
      throw full(
          namespace.isEmpty()
              ? "topics without a dot have their share of all, and others need the rest"
              : "topics below " + namespace + " have their share of all, and others need the rest");
    }
    occupy(name);
  }

  /** Counts a topic that must exist, even beyond the limit. */
  synchronized void occupy(TopicName name) {
    used++;
    namespaces.merge(name.namespace(), 1L, Long::sum);
  }

  synchronized void giveBack(TopicName name) {
    used--;
    namespaces.computeIfPresent(name.namespace(), (key, had) -> had == 1 ? null : had - 1);
  }

  private static SaturatedException full(String detail) {
    return new SaturatedException(TopicDirectory.TOPICS_MAX, detail, LATER);
  }

  int most() {
    return most;
  }

  synchronized int used() {
    return used;
  }

  /** The number of topics in each namespace. */
  synchronized Map<String, Long> namespaces() {
    return Map.copyOf(namespaces);
  }

  private synchronized long largest() {
    return namespaces.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(this::used, TopicDirectory.TOPICS_MAX),
        Family.BOUND_CAPACITY.of(this::most, TopicDirectory.TOPICS_MAX),
        Family.BOUND_LARGEST.of(this::largest, TopicDirectory.TOPICS_MAX, "namespace"));
  }
}
