package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.bounds.ShardCounters;
import org.svcmailbox.core.bounds.TopicCounters;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tally;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/**
 * Metrics of the queues: some topics by name, others as {@code topic="other"}, shards by index.
 * Reads existing counters only, so the cost grows with the shards, not the messages. Any thread.
 */
final class TopicMetrics implements MetricSource {
  private static final double MILLIS = 1_000;

  private final TopicDirectory topics;
  private final Limits limits;
  private final DeadLetterWatch letters;
  private final InstantSource wall;

  TopicMetrics(TopicDirectory topics, Limits limits, DeadLetterWatch letters, InstantSource wall) {
    this.topics = topics;
    this.limits = limits;
    this.letters = letters;
    this.wall = wall;
  }

  @Override
  public List<Metric> metrics() {
    Map<String, List<Member>> groups = new LinkedHashMap<>();
    for (Topic topic : topics.all()) {
      Member member = new Member(topic, limits.topics().of(topic.name()));
      groups.computeIfAbsent(member.label(), label -> new ArrayList<>()).add(member);
    }
    List<Metric> told = new ArrayList<>();
    groups.forEach((label, members) -> tell(told, label, members));
    told.addAll(limits.topics().others().metrics());
    told.add(Family.UNDELIVERABLE_DEPTH.of(letters::undeliverable));
    told.add(Family.DLQ_ENDED_TOTAL.of(letters::expired, "time"));
    told.add(Family.DLQ_ENDED_TOTAL.of(letters::trimmed, "count"));
    return told;
  }

  private record Member(Topic topic, TopicCounters counters) {
    String label() {
      return counters.isNamed() ? topic.name().value() : Tally.OTHER;
    }

    TopicSettings settings() {
      return topic.settings();
    }

    TopicRetention retention() {
      return settings().retention();
    }

    Duration inflightRetention() {
      return retention().longestLease();
    }
  }

  private record Shard(Member member, ShardCounters counters) {
    double saturation() {
      double pending = (double) counters.pending().count() / member.settings().shardCapacity();
      return Math.min(1, Math.max(pending, member.counters().fullness(member.retention())));
    }
  }

  private void tell(List<Metric> told, String label, List<Member> members) {
    tellShards(told, label, members);
    told.add(
        Family.OLDEST_READY_AGE_SECONDS.ofDouble(
            () -> most(members, this::oldestAge) / MILLIS, label));
    told.add(
        Family.MAILBOX_READY_OVERDUE_SECONDS.ofDouble(
            () -> most(members, this::overdue) / MILLIS, label));
    told.add(
        Family.TOPIC_PAUSED.of(
            () -> most(members, one -> one.topic().state().paused() ? 1 : 0), label));
    told.add(Family.TOPIC_REBALANCING.of(() -> sum(members, TopicMetrics::closing), label));
    told.add(Family.DLQ_DEPTH.of(() -> letters.leads() ? letters(members) : 0, label));
    if (!label.equals(Tally.OTHER)) {
      members.forEach(one -> told.addAll(one.counters().deadLetterCounts().metrics(label)));
      members.forEach(one -> told.addAll(one.counters().flow().metrics(label)));
    }
    tellRetention(told, label, members);
  }

  private void tellShards(List<Metric> told, String label, List<Member> members) {
    TreeMap<Integer, List<Shard>> byIndex = new TreeMap<>();
    for (Member member : members) {
      for (ShardId shard : member.topic().shards()) {
        byIndex
            .computeIfAbsent(shard.index(), index -> new ArrayList<>())
            .add(new Shard(member, limits.counters(shard)));
      }
    }
    byIndex.forEach((index, shards) -> tellShard(told, label, index.toString(), shards));
  }

  private static void tellShard(List<Metric> told, String label, String index, List<Shard> shards) {
    told.add(Family.QUEUE_DEPTH.of(() -> total(shards, ShardCounters::waiting), label, index));
    told.add(Family.QUEUE_BYTES.of(() -> total(shards, ShardCounters::bytes), label, index));
    told.add(Family.INFLIGHT.of(() -> total(shards, ShardCounters::inflight), label, index));
    told.add(Family.SATURATION.ofDouble(() -> worst(shards, Shard::saturation), label, index));
    told.add(
        Family.REORDER_DEPTH_MAX.ofDouble(
            () -> worst(shards, shard -> shard.counters().reorderDepth()), label + "/" + index));
  }

  private static void tellRetention(List<Metric> told, String label, List<Member> members) {
    seconds(told, label, "ready", members, one -> one.retention().ready().toMillis());
    seconds(told, label, "inflight", members, one -> one.inflightRetention().toMillis());
    seconds(told, label, "dlq", members, one -> one.retention().dlq().toMillis());
    messages(told, label, "ready", members, one -> one.retention().readyCount());
    messages(told, label, "inflight", members, one -> one.retention().inflightCount());
    messages(told, label, "dlq", members, one -> one.retention().dlqCount());
  }

  private static void seconds(
      List<Metric> told,
      String label,
      String state,
      List<Member> members,
      ToLongFunction<Member> millis) {
    told.add(Family.RETENTION_SECONDS.ofDouble(() -> most(members, millis) / MILLIS, label, state));
  }

  private static void messages(
      List<Metric> told,
      String label,
      String state,
      List<Member> members,
      ToLongFunction<Member> count) {
    told.add(Family.RETENTION_MESSAGES.of(() -> most(members, count), label, state));
  }

  private long overdue(Member member) {
    return Math.max(0, oldestAge(member) - member.settings().alertReadyAge().toMillis());
  }

  private long oldestAge(Member member) {
    long now = wall.millis();
    return member.topic().shards().stream()
        .map(limits::counters)
        .mapToLong(counters -> counters.oldestReadyAge(now))
        .max()
        .orElse(0);
  }

  private static long closing(Member member) {
    return member.topic().state().liveShards() - (long) member.settings().readyShards();
  }

  private static long letters(List<Member> members) {
    return sum(members, one -> one.counters().deadLetters());
  }

  private static long sum(List<Member> members, ToLongFunction<Member> value) {
    return members.stream().mapToLong(value).sum();
  }

  private static long most(List<Member> members, ToLongFunction<Member> value) {
    return members.stream().mapToLong(value).max().orElse(0);
  }

  private static long total(List<Shard> shards, ToLongFunction<ShardCounters> value) {
    return shards.stream().mapToLong(shard -> value.applyAsLong(shard.counters())).sum();
  }

  private static double worst(List<Shard> shards, ToDoubleFunction<Shard> value) {
    return shards.stream().mapToDouble(value).max().orElse(0);
  }
}
