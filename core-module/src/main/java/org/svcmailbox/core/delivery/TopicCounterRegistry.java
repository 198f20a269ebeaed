package org.svcmailbox.core.delivery;

import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The counters of all topics. Metrics tell a bounded number of them by their names, those that came
 * first; a place that becomes free goes to the next new topic. Any thread.
 */
final class TopicCounterRegistry {
  private final int mostNamed;
  private final Ticker ticker;
  private final ConcurrentHashMap<TopicName, TopicCounters> byTopic = new ConcurrentHashMap<>();
  private final DeadLetterCounts otherDeadLetterCounts = new DeadLetterCounts();
  private int named;

  /**
   * @param mostNamed the most topics that metrics tell by their names
   */
  TopicCounterRegistry(int mostNamed, Ticker ticker) {
    this.mostNamed = mostNamed;
    this.ticker = ticker;
  }

  TopicCounters of(TopicName topic) {
    TopicCounters known = byTopic.get(topic);
    return known != null ? known : add(topic);
  }

  /** The dead letters of all topics that metrics do not tell by their names. */
  DeadLetterCounts otherDeadLetterCounts() {
    return otherDeadLetterCounts;
  }

  /** The topic is no more. */
  synchronized void forget(TopicName topic) {
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
    return new TopicCounters(
        isNamed, isNamed ? new DeadLetterCounts() : otherDeadLetterCounts, ticker);
  }
}
