package org.svcmailbox.core.mailbox;

import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.HeldMessages;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.Broker.QueueCounts;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.OtherCounts;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin.ListedTopic;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;
import org.svcmailbox.core.topic.TopicAdmin.TopicPage;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicAdmin.TopicTotals;
import org.svcmailbox.core.topic.TopicFigures;

/**
 * Reports the contents of topics. Only a status asks the broker; everything else is in memory. Any
 * thread.
 */
final class TopicReport {
  private final Limits limits;
  private final Broker broker;
  private final DeadLetterWatch letters;
  private final InstantSource wall;
  private final String dlqProfile;
  private final OtherCounts others;

  /**
   * @param dlqProfile tells clients whether dead letters outlive the process
   * @param others counts of the groups that are not here
   */
  TopicReport(
      Limits limits,
      Broker broker,
      DeadLetterWatch letters,
      InstantSource wall,
      String dlqProfile,
      OtherCounts others) {
    this.others = others;
    this.limits = limits;
    this.broker = broker;
    this.letters = letters;
    this.wall = wall;
    this.dlqProfile = dlqProfile;
  }

  String dlqProfile() {
    return dlqProfile;
  }

  long undeliverable() {
    return letters.undeliverable();
  }

  /** The figures of the whole service with these topics. */
  Overview overview(List<TopicGlance> topics, TopicTotals totals) {
    return new Overview(
        topics, totals, dlqProfile, limits.diskRoom(), letters.undeliverable(), others.counted());
  }

  /** One topic, without figures of the whole service. */
  Overview overview(List<TopicGlance> topics) {
    return new Overview(topics, TopicTotals.of(topics), dlqProfile, null, null, others.counted());
  }

  TopicPage page(List<ListedTopic> topics, TopicTotals totals, @Nullable TopicName next) {
    return new TopicPage(
        topics,
        totals,
        next,
        dlqProfile,
        limits.diskRoom(),
        letters.undeliverable(),
        others.counted());
  }

  ListedTopic listed(Topic topic) {
    return new ListedTopic(glance(topic), topic);
  }

  TopicGlance glance(Topic topic) {
    return glance(topic, figures(topic));
  }

  TopicGlance glance(Topic topic, TopicFigures figures) {
    return new TopicGlance(
        topic.name(),
        topic.state().paused(),
        figures.ready(),
        figures.scheduled(),
        figures.inflight(),
        figures.letters(),
        figures.saturation(),
        figures.oldestAge(wall.millis()),
        figures.rates());
  }

  /** A topic on all nodes. */
  TopicFigures figures(Topic topic) {
    return here(topic).plus(others.of(topic.name()));
  }

  /** A topic on this node. */
  TopicFigures here(Topic topic) {
    TopicName name = topic.name();
    TopicCounters counters = limits.topics().of(name);
    long now = wall.millis();
    HeldMessages held = limits.held(topic.shards(), now);
    boolean isReceived =
        held.inflight() > 0
            || limits.waiting().topics().of(name) > 0
            || limits.streams().topics().of(name) > 0;
    return new TopicFigures(
        held.ready(),
        held.scheduled(),
        held.inflight(),
        counters.deadLetters(),
        held.oldestMillis() == 0 ? TopicFigures.NEVER : now - held.oldestMillis(),
        saturation(topic),
        counters.rates().perSecond(),
        isReceived);
  }

  private double saturation(Topic topic) {
    double saturation = limits.topics().of(topic.name()).fullness(topic.settings().retention());
    for (ShardId shard : topic.shards()) {
      double full =
          (double) limits.counters(shard).pending().count() / topic.settings().shardCapacity();
      saturation = Math.max(saturation, full);
    }
    return Math.min(1, saturation);
  }

  TopicStatus status(Topic topic) {
    long messages = 0;
    long delayed = 0;
    long inflight = 0;
    TopicFigures elsewhere = others.of(topic.name());
    long oldest = elsewhere.oldestAge(wall.millis());
    for (ShardId shard : topic.shards()) {
      QueueCounts counts = broker.counts(shard);
      messages += counts.messages();
      delayed += counts.scheduled();
      inflight += limits.inflight(shard);
      oldest = Math.max(oldest, counts.oldestReadyAgeMillis());
      oldest = Math.max(oldest, limits.counters(shard).prefetchedAge(wall.millis()));
    }
    inflight += elsewhere.inflight();
    long ready = Math.max(0, messages - delayed - inflight);
    long dlq = broker.deadLetters(topic.name());
    long age = ready == 0 ? 0 : oldest;
    double saturation = Math.max(saturation(topic), elsewhere.saturation());
    return new TopicStatus(
        topic, ready, inflight, delayed, dlq, saturation, dlqProfile, age, others.counted());
  }
}
