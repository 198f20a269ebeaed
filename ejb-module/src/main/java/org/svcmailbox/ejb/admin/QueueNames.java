package org.svcmailbox.ejb.admin;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.ShardId;

/** The names of queues; each queue is alone on the address of its own name. */
public final class QueueNames {
  /** The broker moves messages that it gives up on here, until they are sorted. */
  public static final SimpleString UNDELIVERABLE = SimpleString.of("mailbox.dlq");

  /** An address of no topic, to read the settings that apply to every topic. */
  public static final String SAMPLE = "mailbox.topic.x.0";

  /** An address of no dead letters, to read the settings that apply to all of them. */
  public static final String SAMPLE_LETTERS = "mailbox.dlq.x.0";

  /** An address of no worker, to read the settings that apply to every batch log. */
  public static final String SAMPLE_LOG = "mailbox.log.x";

  private static final String TOPIC_PREFIX = "mailbox.topic.";
  private static final Pattern SHARD_QUEUE = numbered(TOPIC_PREFIX);
  private static final String DLQ_PREFIX = "mailbox.dlq.";
  private static final Pattern DLQ_QUEUE = numbered(DLQ_PREFIX);
  private static final String LOG_PREFIX = "mailbox.log.";
  private static final Pattern WORKER_QUEUE =
      Pattern.compile(Pattern.quote(LOG_PREFIX) + "([0-9]{1,9})");
  private static final String ID_PREFIX = "mailbox.id.";
  private static final Pattern ID_QUEUE = numbered(ID_PREFIX);
  private static final String JOB_PREFIX = "mailbox.job.";
  private static final Pattern JOB_QUEUE =
      Pattern.compile(Pattern.quote(JOB_PREFIX) + "(j[0-9a-f]{16})");
  private static final String PAIR_PREFIX = "mailbox.pair.";

  /** A queue of a topic's dead letters. */
  public record Segment(TopicName topic, int number) {}

  /** An empty queue whose name states the id of a topic. */
  public record TopicMark(TopicName topic, int id) {}

  @FunctionalInterface
  private interface OfTopic<T> {
    T of(TopicName topic, int number);
  }

  private QueueNames() {}

  private static Pattern numbered(String prefix) {
    return Pattern.compile(Pattern.quote(prefix) + "([A-Za-z0-9._-]{1,255})\\.([0-9]{1,9})");
  }

  private static <T> Optional<T> read(Pattern pattern, String name, OfTopic<T> made) {
    Matcher matcher = pattern.matcher(name);
    return matcher.matches()
        ? Optional.of(made.of(new TopicName(matcher.group(1)), Integer.parseInt(matcher.group(2))))
        : Optional.empty();
  }

  /** The queue of a shard. */
  public static SimpleString of(ShardId shard) {
    return SimpleString.of(TOPIC_PREFIX + shard.topic() + "." + shard.index());
  }

  /** A queue of a topic's dead letters. */
  public static SimpleString deadLetters(TopicName topic, int segment) {
    return SimpleString.of(DLQ_PREFIX + topic + "." + segment);
  }

  /** The queue of a worker's batch log. */
  public static SimpleString log(WorkerId worker) {
    return SimpleString.of(LOG_PREFIX + worker);
  }

  /** Whether a queue of this name is a worker's batch log. */
  public static boolean isLog(String name) {
    return name.startsWith(LOG_PREFIX);
  }

  /** The queue that states a topic's id. */
  public static SimpleString mark(TopicName topic, int id) {
    return SimpleString.of(ID_PREFIX + topic + "." + id);
  }

  /** The topic and id that a queue's name states; empty for any other name. */
  public static Optional<TopicMark> markOf(String name) {
    return read(ID_QUEUE, name, TopicMark::new);
  }

  /** The queue that permits a job to discard. */
  public static SimpleString permit(String job) {
    return SimpleString.of(JOB_PREFIX + job);
  }

  /** The job that a queue's name permits; empty for any other name. */
  public static Optional<String> permitOf(String name) {
    Matcher matcher = JOB_QUEUE.matcher(name);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The queue that marks the broker as half of a pair. */
  public static SimpleString pair(String id) {
    return SimpleString.of(PAIR_PREFIX + id);
  }

  /** The id of the pair that a queue's name marks; empty for any other name. */
  public static Optional<String> pairOf(String name) {
    return name.startsWith(PAIR_PREFIX)
        ? Optional.of(name.substring(PAIR_PREFIX.length()))
        : Optional.empty();
  }

  /** The worker whose batch log a queue's name belongs to; empty for any other name. */
  public static Optional<WorkerId> workerOf(String name) {
    Matcher matcher = WORKER_QUEUE.matcher(name);
    return matcher.matches()
        ? Optional.of(WorkerId.of(Integer.parseInt(matcher.group(1))))
        : Optional.empty();
  }

  /** The shard that a queue's name belongs to; empty for any other name. */
  public static Optional<ShardId> shardOf(String name) {
    return read(SHARD_QUEUE, name, ShardId::new);
  }

  /** The segment of dead letters that a queue's name belongs to; empty for any other name. */
  public static Optional<Segment> segmentOf(String name) {
    return read(DLQ_QUEUE, name, Segment::new);
  }
}
