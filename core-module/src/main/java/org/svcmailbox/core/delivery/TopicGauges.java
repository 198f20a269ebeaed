package org.svcmailbox.core.delivery;

import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The gauges of all topics. Metrics tell a bounded number of them by their names, those that came
 * first; a place that becomes free goes to the next new topic. Any thread.
 */
final class TopicGauges {
  private final int mostNamed;
  private final Ticker ticker;
  private final ConcurrentHashMap<TopicName, TopicGauge> gauges = new ConcurrentHashMap<>();
  private final Deaths deathsOfOthers = new Deaths();
  private int named;

  /**
   * @param mostNamed the most topics that metrics tell by their names
   */
  TopicGauges(int mostNamed, Ticker ticker) {
    this.mostNamed = mostNamed;
    this.ticker = ticker;
  }

  TopicGauge of(TopicName topic) {
    TopicGauge known = gauges.get(topic);
    return known != null ? known : add(topic);
  }

  /** The dead letters of all topics that metrics do not tell by their names. */
  Deaths deathsOfOthers() {
    return deathsOfOthers;
  }

  /** The topic is no more. */
  synchronized void forget(TopicName topic) {
    TopicGauge gone = gauges.remove(topic);
    if (gone != null && gone.isNamed()) {
      named--;
    }
  }

  private synchronized TopicGauge add(TopicName topic) {
    return gauges.computeIfAbsent(topic, name -> gauge());
  }

  private TopicGauge gauge() {
    boolean isNamed = named < mostNamed;
    named += isNamed ? 1 : 0;
    return new TopicGauge(isNamed, isNamed ? new Deaths() : deathsOfOthers, ticker);
  }
}
