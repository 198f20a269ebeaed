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
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin.ListedTopic;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;
import org.svcmailbox.core.topic.TopicAdmin.TopicPage;
import org.svcmailbox.core.topic.TopicAdmin.TopicStatus;
import org.svcmailbox.core.topic.TopicAdmin.TopicTotals;

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

  /**
   * @param dlqProfile tells clients whether dead letters outlive the process
   */
  TopicReport(
      Limits limits,
      Broker broker,
      DeadLetterWatch letters,
      InstantSource wall,
      String dlqProfile) {
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
    return new Overview(topics, totals, dlqProfile, limits.diskRoom(), letters.undeliverable());
  }

  /** One topic, without figures of the whole service. */
  Overview overview(List<TopicGlance> topics) {
    return new Overview(topics, TopicTotals.of(topics), dlqProfile, null, null);
  }

  TopicPage page(List<ListedTopic> topics, TopicTotals totals, @Nullable TopicName next) {
    return new TopicPage(
        topics, totals, next, dlqProfile, limits.diskRoom(), letters.undeliverable());
  }

  ListedTopic listed(Topic topic) {
    return new ListedTopic(glance(topic), topic);
  }

  TopicGlance glance(Topic topic) {
    TopicCounters counters = limits.topics().of(topic.name());
    HeldMessages held = limits.held(topic.shards(), wall.millis());
    return new TopicGlance(
        topic.name(),
        topic.state().paused(),
        held.ready(),
        held.scheduled(),
        held.inflight(),
        counters.deadLetters(),
        saturation(topic),
        held.oldestMillis(),
        counters.rates().perSecond());
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
    long oldest = 0;
    for (ShardId shard : topic.shards()) {
      QueueCounts counts = broker.counts(shard);
      messages += counts.messages();
      delayed += counts.scheduled();
      inflight += limits.inflight(shard);
      oldest = Math.max(oldest, counts.oldestReadyAgeMillis());
      oldest = Math.max(oldest, limits.counters(shard).prefetchedAge(wall.millis()));
    }
    long ready = Math.max(0, messages - delayed - inflight);
    long dlq = broker.deadLetters(topic.name());
    long age = ready == 0 ? 0 : oldest;
    return new TopicStatus(
        topic, ready, inflight, delayed, dlq, saturation(topic), dlqProfile, age);
  }
}
