package org.svcmailbox.core.bounds;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.time.Ticker;

/**
 * The counters of all topics. Metrics name the topics that came first, up to a limit. Any thread.
 */
public final class TopicCounterRegistry {
  private final int mostNamed;
  private final Ticker ticker;
  private final ConcurrentHashMap<TopicName, TopicCounters> byTopic = new ConcurrentHashMap<>();
  private final OtherTopics others = new OtherTopics();
  private int named;

  TopicCounterRegistry(int mostNamed, Ticker ticker) {
    this.mostNamed = mostNamed;
    this.ticker = ticker;
  }

  public TopicCounters of(TopicName topic) {
    TopicCounters known = byTopic.get(topic);
    return known != null ? known : add(topic);
  }

  /** The topics that metrics do not name. */
  public OtherTopics others() {
    return others;
  }

  /** The topics that have counters. */
  public Set<TopicName> names() {
    return Set.copyOf(byTopic.keySet());
  }

  public synchronized void forget(TopicName topic) {
    TopicCounters gone = byTopic.remove(topic);
    if (gone != null && gone.isNamed()) {
      named--;
    }
  }

  private synchronized TopicCounters add(TopicName topic) {
    return byTopic.computeIfAbsent(topic, name -> counters());
  }

  private TopicCounters counters() {
    boolean isNamed = named < mostNamed;
    named += isNamed ? 1 : 0;
    return new TopicCounters(isNamed ? null : others, ticker);
  }
}
