package org.svcmailbox.ejb.letters;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.admin.QueueNames.Segment;

/**
 * The queues of dead letters, a sequence per topic. Letters enter the last queue; the others only
 * lose letters and are deleted when empty. A queue is bounded, because the broker shows a filtered
 * consumer only the beginning of a longer paged one.
 *
 * <p>Every method throws {@link UnavailableException} when the broker is away. Any thread.
 */
public final class LetterSegments {
  /**
   * The most letters in a queue; with {@link #MOST_BYTES} they stay below the broker's {@code
   * max-read-page-bytes}.
   */
  static final int MOST_LETTERS = 4_096;

  /** A queue with this many bytes takes no more letters. */
  static final long MOST_BYTES = 8L * 1024 * 1024;

  /** After so many letters of its own, a node counts those of the others. */
  static final int UNCOUNTED_LETTERS = MOST_LETTERS / 8;

  /** The same in bytes. */
  static final long UNCOUNTED_BYTES = MOST_BYTES / 8;

  /**
   * The smallest allowed {@code max-read-page-bytes}: a full queue, what each of several nodes adds
   * before it counts again, and overhead.
   */
  public static final long READ_AHEAD_BYTES = 20L * 1024 * 1024;

  /** An unlimited consumer window; behind a full window a queue would seem empty. */
  public static final int WHOLE = -1;

  private final BrokerAdmin admin;
  private final InstantSource clock;
  private final Map<TopicName, TopicSegments> topics = new ConcurrentHashMap<>();
  private boolean listed;

  /**
   * @param clock this service's clock, which nobody moves
   */
  public LetterSegments(BrokerAdmin admin, InstantSource clock) {
    this.admin = admin;
    this.clock = clock;
  }

  /** Creates the first queue of a topic if it has none. */
  public void create(TopicName topic) {
    segments(topic).create();
  }

  /** Deletes all queues of a topic with their letters. */
  public void delete(TopicName topic) {
    segments(topic).delete();
  }

  /** Forgets the queues of a topic that another process deletes. */
  public void forget(TopicName topic) {
    TopicSegments unused = topics.remove(topic);
  }

  /** Whether a topic has queues. */
  public boolean exist(TopicName topic) {
    return segments(topic).exist();
  }

  /**
   * Reserves room for a letter. The caller ends its transaction with {@link LetterSegment#leave}.
   *
   * @param size of the letter, in bytes
   */
  LetterSegment enter(TopicName topic, int size) {
    return segments(topic).enter(size);
  }

  /** The queue of a topic's segment; null when there is none. */
  @Nullable SimpleString queue(TopicName topic, int number) {
    return segments(topic).queue(number);
  }

  /** A topic's queues, oldest first. */
  public List<LetterSegment> of(TopicName topic) {
    return segments(topic).oldestFirst();
  }

  /** Counts a topic's letters. */
  public long count(TopicName topic) {
    return of(topic).stream()
        .mapToLong(segment -> admin.queues().countMessages(segment.queue()))
        .sum();
  }

  /**
   * Deletes queues that every call of the last {@link BrokerAdmin#EMPTY_FOR} found empty, except
   * each topic's last; returns how many.
   */
  public int removeEmpty() {
    list();
    Instant now = clock.instant();
    return topics.values().stream().mapToInt(topic -> topic.removeEmpty(now)).sum();
  }

  /**
   * Lists the queues again, which other nodes create and remove too. A node must do so more often
   * than any node removes empty ones.
   */
  public void refresh() {
    list();
    Map<TopicName, List<Integer>> before = new HashMap<>();
    topics.forEach((topic, segments) -> before.put(topic, segments.numbers()));
    Set<Segment> there =
        admin.queues().names().stream()
            .flatMap(queue -> QueueNames.segmentOf(queue.toString()).stream())
            .collect(Collectors.toSet());
    there.forEach(found -> known(found.topic()).found(found.number()));
    before.forEach(
        (topic, numbers) ->
            numbers.stream()
                .filter(number -> !there.contains(new Segment(topic, number)))
                .forEach(known(topic)::gone));
  }

  private TopicSegments segments(TopicName topic) {
    list();
    return known(topic);
  }

  private TopicSegments known(TopicName topic) {
    return topics.computeIfAbsent(topic, unknown -> new TopicSegments(topic, admin));
  }

  /** Lists the broker's queues once. */
  private synchronized void list() {
    if (!listed) {
      for (SimpleString queue : admin.queues().names()) {
        QueueNames.segmentOf(queue.toString())
            .ifPresent(name -> known(name.topic()).found(name.number()));
      }
      listed = true;
    }
  }
}
