package org.svcmailbox.core.topic;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.Clustered;

/**
 * Topic administration. Changes are on disk on return and need {@code admin}; reading also accepts
 * {@code peek}. Methods throw {@code DeniedException} otherwise, and {@code NotFoundException} for
 * a missing topic.
 */
public interface TopicAdmin {
  /**
   * A topic and its contents.
   *
   * @param dlqProfile {@code durable}, or {@code ephemeral} if dead letters are lost with the
   *     process
   * @param saturation 1 if a shard refuses SENDs
   * @param counted the nodes whose leases are in the counts; null of a server that is alone
   */
  record TopicStatus(
      Topic topic,
      long ready,
      long inflight,
      long delayed,
      long dlq,
      double saturation,
      String dlqProfile,
      long oldestReadyAgeMillis,
      @Nullable CountedNodes counted) {}

  /**
   * A topic's figures from memory, up to some seconds old.
   *
   * @param scheduled wait for their time, as last seen
   * @param saturation 1 if a shard refuses SENDs
   * @param rates of about the last 10 seconds
   */
  record TopicGlance(
      TopicName name,
      boolean paused,
      long ready,
      long scheduled,
      long inflight,
      long dlq,
      double saturation,
      long oldestReadyAgeMillis,
      MessageRates rates) {
    /** Ready and scheduled messages. */
    public long depth() {
      return ready + scheduled;
    }
  }

  /** The sums of some topics. */
  record TopicTotals(
      int topics, long ready, long scheduled, long inflight, long dlq, MessageRates rates) {
    public static TopicTotals of(List<TopicGlance> glances) {
      return new TopicTotals(
          glances.size(),
          glances.stream().mapToLong(TopicGlance::ready).sum(),
          glances.stream().mapToLong(TopicGlance::scheduled).sum(),
          glances.stream().mapToLong(TopicGlance::inflight).sum(),
          glances.stream().mapToLong(TopicGlance::dlq).sum(),
          glances.stream().map(TopicGlance::rates).reduce(MessageRates.NONE, MessageRates::plus));
    }
  }

  /**
   * Some topics at a glance.
   *
   * @param totals of all topics that match, also of those that are left out
   * @param disk null if nothing is written to a disk, or of one topic
   * @param undeliverable messages that the broker gave up on, which will become dead letters; null
   *     of one topic
   * @param counted the nodes whose counts are in; null of a server that is alone
   */
  record Overview(
      List<TopicGlance> topics,
      TopicTotals totals,
      String dlqProfile,
      @Nullable DiskRoom disk,
      @Nullable Long undeliverable,
      @Nullable CountedNodes counted) {}

  /** Disk space; SENDs are refused below the reserve. */
  record DiskRoom(long freeBytes, long reserveBytes) {}

  int MAX_PAGE = 1_000;

  record ListedTopic(TopicGlance glance, Topic topic) {}

  /**
   * Some topics.
   *
   * @param totals of all topics that match, on every page
   * @param next null on the last page, and if they are not ordered by name
   * @param counted the nodes whose counts are in; null of a server that is alone
   */
  record TopicPage(
      List<ListedTopic> topics,
      TopicTotals totals,
      @Nullable TopicName next,
      String dlqProfile,
      @Nullable DiskRoom disk,
      long undeliverable,
      @Nullable CountedNodes counted) {}

  /**
   * The first topics of a choice with their settings, at most {@link #MAX_PAGE}.
   *
   * @param after the topics behind this name, which need not exist; only in the order of names
   */
  @Clustered
  TopicPage page(Caller caller, TopicChoice choice, @Nullable TopicName after);

  /** The first topics of a choice, from memory; needs a right that is not bound to a topic. */
  @Clustered
  Overview list(Caller caller, TopicChoice choice);

  /** One topic, from memory; a right of this topic is enough. */
  @Clustered
  Overview list(Caller caller, TopicName name);

  @Clustered
  TopicStatus status(Caller caller, TopicName name);

  /**
   * Creates a topic or changes its settings; returns whether it was created. Changes do not affect
   * messages already sent, delivered or dead. Surplus shards stay until they are empty.
   *
   * @param precondition is checked while the topic cannot change
   * @throws org.svcmailbox.core.problem.PreconditionException if it does not hold
   * @throws org.svcmailbox.core.problem.SchemaException if settings contradict each other
   * @throws org.svcmailbox.core.problem.SaturatedException if there are too many topics
   */
  @Clustered
  boolean put(Caller caller, TopicName name, TopicOverrides overrides, Precondition precondition);

  /**
   * Changes some settings of a topic, excluding concurrent changes. As {@link #put}, but creates no
   * topic.
   *
   * @param change maps the topic's current overrides to the new ones; called at most once
   */
  @Clustered
  void change(
      Caller caller,
      TopicName name,
      Precondition precondition,
      UnaryOperator<TopicOverrides> change);

  /**
   * Stops deliveries until {@link #resume}, across restarts; SENDs and settling continue. No
   * message is delivered after this returns.
   */
  @Clustered
  void pause(Caller caller, TopicName name);

  @Clustered
  void resume(Caller caller, TopicName name);

  /** Removes a topic with its messages, dead letters, keys and ledger. */
  @Clustered
  void delete(Caller caller, TopicName name);
}
