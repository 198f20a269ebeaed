package org.svcmailbox.core.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.route.OtherCounts;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/**
 * Counts the dead letters of topics and trims each topic to its limit. One thread; any thread may
 * read the counts.
 */
final class DeadLetterWatch {
  private static final Logger LOG = System.getLogger(DeadLetterWatch.class.getName());

  /** Topics whose dead letters are counted in one step. */
  private static final int LOOKS = 100;

  /** Dead letters removed from one topic at once. */
  static final int TRIMMED = 1_000;

  /** The longest trimming in a step; each topic that it counts is trimmed at least once. */
  private static final Duration TRIMMING = Duration.ofMillis(500);

  private final TopicDirectory topics;
  private final Limits limits;
  private final Broker broker;
  private final Ticker ticker;
  private final OtherCounts others;
  private final BooleanSupplier leads;
  private final LongAdder trimmed = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private volatile long undeliverable;
  private Iterator<Topic> round = Collections.emptyIterator();

  /**
   * @param others tell of dead letters that died elsewhere
   * @param leads whether this node trims, which one does for all
   */
  DeadLetterWatch(
      TopicDirectory topics,
      Limits limits,
      Broker broker,
      Ticker ticker,
      OtherCounts others,
      BooleanSupplier leads) {
    this.others = others;
    this.leads = leads;
    this.topics = topics;
    this.limits = limits;
    this.broker = broker;
    this.ticker = ticker;
  }

  /** Whether this node tells of dead letters, which all nodes share, in its metrics. */
  boolean leads() {
    return leads.getAsBoolean();
  }

  void expired(long count) {
    expired.add(count);
  }

  void undeliverable(long waiting) {
    undeliverable = waiting;
  }

  long undeliverable() {
    return undeliverable;
  }

  long expired() {
    return expired.sum();
  }

  long trimmed() {
    return trimmed.sum();
  }

  /** Does some of what is due. */
  void step() {
    if (!round.hasNext()) {
      round = topics.all().iterator();
    }
    long until = ticker.nanos() + TRIMMING.toNanos();
    int looks = 0;
    while (looks < LOOKS && round.hasNext()) {
      Topic topic = round.next();
      TopicCounters counters = limits.topics().of(topic.name());
      if (counters.takeDeadLettersChanged()
          || counters.deadLetters() > 0
          || others.of(topic.name()).letters() > 0) {
        looks++;
        trim(topic, counters, until);
      }
    }
  }

  private long countLetters(Topic topic, TopicCounters counters) {
    long count = broker.deadLetters(topic.name());
    counters.deadLetters(count);
    return count;
  }

  /** Trims until the topic is within its limit, or the time is over. */
  private void trim(Topic topic, TopicCounters counters, long until) {
    int kept = topic.settings().retention().dlqCount();
    long tooMany = countLetters(topic, counters) - kept;
    int gone = 1;
    long all = 0;
    while (leads.getAsBoolean()
        && tooMany > 0
        && gone > 0
        && (all == 0 || until - ticker.nanos() > 0)) {
      gone = broker.removeDeadLetters(topic.name(), (int) Math.min(TRIMMED, tooMany));
      all += gone;
      tooMany = countLetters(topic, counters) - kept;
    }
    if (all > 0) {
      trimmed.add(all);
      counters.deadLettersChanged();
      LOG.log(
          Level.WARNING,
          "{0} had more dead letters than retention_dlq_count: removed the oldest {1}",
          topic.name(),
          all);
    }
  }
}
