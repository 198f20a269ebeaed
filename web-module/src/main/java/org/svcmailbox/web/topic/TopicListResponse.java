package org.svcmailbox.web.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.TopicAdmin.DiskRoom;
import org.svcmailbox.core.topic.TopicAdmin.Overview;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;
import org.svcmailbox.core.topic.TopicAdmin.TopicTotals;

/**
 * Some topics.
 *
 * @param dlqProfile {@code durable}, or {@code ephemeral} when dead letters end with the process
 * @param disk space on the data disk; absent if there is no data disk, or of one topic
 * @param undeliverable messages that wait to become dead letters of their topics; absent of one
 *     topic
 * @param counted the nodes whose counts are in; absent of a server that is alone
 */
public record TopicListResponse(
    List<Entry> topics,
    Totals totals,
    String dlqProfile,
    @Nullable DiskRoom disk,
    @Nullable Long undeliverable,
    @Nullable CountedNodes counted) {
  /** One topic's counters, read from memory. */
  public record Entry(
      String name,
      boolean paused,
      long depth,
      long ready,
      long scheduled,
      long inflight,
      long dlq,
      double saturation,
      long oldestReadyAgeMs,
      double sentPerS,
      double deliveredPerS,
      double ackedPerS) {
    static Entry of(TopicGlance topic) {
      MessageRates rates = topic.rates();
      return new Entry(
          topic.name().value(),
          topic.paused(),
          topic.depth(),
          topic.ready(),
          topic.scheduled(),
          topic.inflight(),
          topic.dlq(),
          topic.saturation(),
          topic.oldestReadyAgeMillis(),
          rounded(rates.sent()),
          rounded(rates.delivered()),
          rounded(rates.acked()));
    }
  }

  /** The sums of all topics that match. */
  public record Totals(
      int topics,
      long ready,
      long scheduled,
      long inflight,
      long dlq,
      double sentPerS,
      double deliveredPerS,
      double ackedPerS) {
    static Totals of(TopicTotals totals) {
      MessageRates rates = totals.rates();
      return new Totals(
          totals.topics(),
          totals.ready(),
          totals.scheduled(),
          totals.inflight(),
          totals.dlq(),
          rounded(rates.sent()),
          rounded(rates.delivered()),
          rounded(rates.acked()));
    }
  }

  /** A tenth of a message per second is exact enough, and short. */
  private static double rounded(double rate) {
    return Math.round(rate * 10) / 10.0;
  }

  public static TopicListResponse of(Overview overview) {
    return new TopicListResponse(
        overview.topics().stream().map(Entry::of).toList(),
        Totals.of(overview.totals()),
        overview.dlqProfile(),
        overview.disk(),
        overview.undeliverable(),
        overview.counted());
  }
}
