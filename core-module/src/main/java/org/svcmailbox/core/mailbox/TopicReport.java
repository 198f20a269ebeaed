package org.svcmailbox.core.mailbox;

import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.ShardCounters;
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

  Overview overview(List<Topic> topics) {
    List<TopicGlance> glances = topics.stream().map(this::glance).toList();
    return new Overview(glances, dlqProfile, limits.diskRoom(), letters.undeliverable());
  }

  TopicPage page(List<Topic> topics, @Nullable TopicName next) {
    return new TopicPage(
        topics.stream().map(topic -> new ListedTopic(glance(topic), topic)).toList(),
        next,
        dlqProfile,
        limits.diskRoom(),
        letters.undeliverable());
  }

  private TopicGlance glance(Topic topic) {
    TopicCounters counters = limits.topics().of(topic.name());
    long now = wall.millis();
    long depth = 0;
    long inflight = 0;
    long oldest = 0;
    for (ShardId shard : topic.shards()) {
      ShardCounters one = limits.counters(shard);
      depth += one.waiting();
      inflight += one.inflight();
      oldest = Math.max(oldest, one.oldestReadyAge(now));
    }
    return new TopicGlance(
        topic.name(),
        topic.state().paused(),
        depth,
        inflight,
        counters.deadLetters(),
        saturation(topic),
        oldest);
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
