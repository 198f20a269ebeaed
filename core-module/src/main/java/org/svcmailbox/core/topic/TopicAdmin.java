package org.svcmailbox.core.topic;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Topics as operators manage them. Calls block until the change is on disk. To look at a topic
 * needs the right to {@code peek} into it, or {@code admin}; to change it needs {@code admin}. Each
 * throws {@code DeniedException} without.
 */
public interface TopicAdmin {
  /**
   * A topic and what is in it now.
   *
   * @param ready messages a RECV could take
   * @param inflight messages under a lease
   * @param delayed messages whose time has not come
   * @param dlq dead letters
   * @param dlqProfile {@code durable}, or {@code ephemeral} when they end with the process
   * @param oldestReadyAgeMillis age of the oldest message that is ready, 0 when there is none
   */
  record TopicStatus(
      Topic topic,
      long ready,
      long inflight,
      long delayed,
      long dlq,
      String dlqProfile,
      long oldestReadyAgeMillis) {}

  /**
   * A topic as it is known without asking broker or disk.
   *
   * @param depth messages that wait or are delayed
   * @param inflight messages under a lease
   * @param dlq dead letters, as seen within the last seconds
   * @param saturation how near its fullest shard is to refusing a SEND, 0 to 1
   * @param oldestReadyAgeMillis age of the oldest message that is ready, as seen within the last
   *     seconds; 0 when there is none
   */
  record TopicGlance(
      TopicName name,
      boolean paused,
      long depth,
      long inflight,
      long dlq,
      double saturation,
      long oldestReadyAgeMillis) {}

  /**
   * All topics at a glance.
   *
   * @param topics in the order of their names
   * @param dlqProfile as in {@link TopicStatus}
   * @param disk room for them, as last read; null when nothing is written to a disk
   * @param undeliverable messages of all topics that the broker gave up on and that are about to
   *     become dead letters, as seen within the last seconds
   */
  record Overview(
      List<TopicGlance> topics, String dlqProfile, @Nullable DiskRoom disk, long undeliverable) {}

  /**
   * Room on the disk that holds the data.
   *
   * @param freeBytes bytes that are free
   * @param reserveBytes bytes below which new SENDs are refused
   */
  record DiskRoom(long freeBytes, long reserveBytes) {}

  /** The most topics of one page. */
  int MAX_PAGE = 1_000;

  /** A topic at a glance, and the settings in force for it. */
  record ListedTopic(TopicGlance glance, Topic topic) {}

  /**
   * Some topics.
   *
   * @param topics in the order of their names
   * @param next behind which topic the next page begins; null behind the last
   * @param dlqProfile as in {@link TopicStatus}
   * @param disk as in {@link Overview}
   * @param undeliverable as in {@link Overview}
   */
  record TopicPage(
      List<ListedTopic> topics,
      @Nullable TopicName next,
      String dlqProfile,
      @Nullable DiskRoom disk,
      long undeliverable) {}

  /**
   * The topics behind {@code after}, in the order of their names; otherwise like {@link #list}.
   *
   * @param after null for the first page; need not exist
   * @param limit at most so many, 1 to {@link #MAX_PAGE}
   */
  TopicPage page(Caller caller, @Nullable TopicName after, int limit);

  /**
   * Every topic; needs a right that is not bound to a topic. From memory: it can be asked for
   * often.
   */
  Overview list(Caller caller);

  /**
   * One topic.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   */
  TopicStatus status(Caller caller, TopicName name);

  /**
   * Makes a topic or changes its settings. What is decided about a message when it is sent, handed
   * out or dies, was decided by the settings of that moment. With fewer shards than before, those
   * that take no messages any more stay until they are empty.
   *
   * @return whether it was made
   * @throws org.svcmailbox.core.problem.SchemaException when settings contradict each other
   * @throws org.svcmailbox.core.problem.SaturatedException when there are too many topics
   */
  boolean put(Caller caller, TopicName name, TopicOverrides overrides);

  /**
   * Makes a topic hand nothing out, also after a restart. SENDs are taken, and what is under a
   * lease can be settled. Nothing is handed out any more when this returns.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   */
  void pause(Caller caller, TopicName name);

  /**
   * Ends what {@link #pause} began.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   */
  void resume(Caller caller, TopicName name);

  /**
   * Removes a topic with its messages, dead letters, keys and ledger.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException when there is none
   */
  void delete(Caller caller, TopicName name);
}
