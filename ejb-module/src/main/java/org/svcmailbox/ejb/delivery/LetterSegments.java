package org.svcmailbox.ejb.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The queues that dead letters are in. A topic has one after the other, each of a size that the
 * broker reads whole even when it pages: of a longer one it shows a selective reader only the
 * beginning, until that is consumed. Letters go into the last one; the others only lose some, and
 * end when they are empty.
 *
 * <p>Every method throws {@link UnavailableException} when the broker is away. Safe for many
 * threads.
 */
final class LetterSegments {
  /**
   * The most letters of one queue. Together with {@link #MOST_BYTES} below what the broker reads
   * ahead of a paged queue ({@code max-read-page-bytes}), with what it adds to each.
   */
  static final int MOST_LETTERS = 4_096;

  /** From how many bytes on a queue takes no more. */
  static final long MOST_BYTES = 8L * 1024 * 1024;

  /** What the broker must be set to read ahead: the above, one letter more, and its own. */
  static final long READ_AHEAD_BYTES = 20L * 1024 * 1024;

  /**
   * The window of a queue's reader. The queue bounds it; with a window of its own an empty buffer
   * could mean that the window is full.
   */
  static final int WHOLE = -1;

  /** A topic's queues. Guarded by itself. */
  private static final class Letters {
    private final TreeMap<Integer, LetterSegment> segments = new TreeMap<>();
    private long letters;
    private long bytes;
    private boolean counted;
  }

  private final BrokerAdmin admin;
  private final Map<TopicName, Letters> topics = new ConcurrentHashMap<>();
  private boolean listed;

  LetterSegments(BrokerAdmin admin) {
    this.admin = admin;
  }

  /** Makes the first queue of a topic, if it has none. */
  void create(TopicName topic) {
    Letters letters = letters(topic);
    synchronized (letters) {
      int last = letters.segments.isEmpty() ? 0 : letters.segments.lastKey();
      // Also one that is known: somebody may have removed it behind our back.
      add(topic, letters, last);
    }
  }

  /** Removes all queues of a topic with everything in them. */
  void delete(TopicName topic) {
    Letters letters = letters(topic);
    synchronized (letters) {
      letters.segments.values().forEach(segment -> admin.delete(segment.queue()));
      letters.segments.clear();
      letters.counted = false;
    }
  }

  /** Whether a topic has any. */
  boolean exist(TopicName topic) {
    Letters letters = letters(topic);
    synchronized (letters) {
      return !letters.segments.isEmpty();
    }
  }

  /**
   * Where the next letter goes. Its transaction is to {@link LetterSegment#leave} when it is over.
   *
   * @param size of the letter, in bytes
   */
  LetterSegment enter(TopicName topic, int size) {
    Letters letters = letters(topic);
    synchronized (letters) {
      LetterSegment last = withRoom(topic, letters);
      letters.letters++;
      letters.bytes += size;
      last.enter();
      return last;
    }
  }

  private LetterSegment withRoom(TopicName topic, Letters letters) {
    if (letters.segments.isEmpty()) {
      // A topic that is being deleted, or whose queues are gone: the transaction is to fail.
      return new LetterSegment(topic, 0);
    }
    LetterSegment last = letters.segments.lastEntry().getValue();
    count(letters, last);
    if (letters.letters < MOST_LETTERS && letters.bytes < MOST_BYTES) {
      return last;
    }
    LetterSegment next = add(topic, letters, last.number() + 1);
    letters.letters = 0;
    letters.bytes = 0;
    return next;
  }

  /** What the last queue held before this process. */
  private void count(Letters letters, LetterSegment last) {
    if (!letters.counted) {
      letters.letters = admin.countMessages(last.queue());
      letters.bytes = admin.number(last.queue(), "persistentSize");
      letters.counted = true;
    }
  }

  private LetterSegment add(TopicName topic, Letters letters, int number) {
    LetterSegment segment = letters.segments.get(number);
    if (segment == null) {
      segment = new LetterSegment(topic, number);
    }
    admin.create(segment.queue());
    letters.segments.put(number, segment);
    return segment;
  }

  /** The queue of a topic's segment, if there is such a one. */
  @Nullable SimpleString queue(TopicName topic, int number) {
    Letters letters = letters(topic);
    synchronized (letters) {
      LetterSegment segment = letters.segments.get(number);
      return segment == null ? null : segment.queue();
    }
  }

  /** A topic's queues, those with the oldest letters first. */
  List<LetterSegment> of(TopicName topic) {
    Letters letters = letters(topic);
    synchronized (letters) {
      return List.copyOf(letters.segments.values());
    }
  }

  /** How many letters a topic has. */
  long count(TopicName topic) {
    return of(topic).stream().mapToLong(segment -> admin.countMessages(segment.queue())).sum();
  }

  /** Removes the queues that are empty and get no more; answers how many. */
  int removeEmpty() {
    list();
    return topics.values().stream().mapToInt(this::removeEmpty).sum();
  }

  private int removeEmpty(Letters letters) {
    synchronized (letters) {
      if (letters.segments.size() < 2) {
        return 0;
      }
      List<LetterSegment> empty = new ArrayList<>();
      for (LetterSegment segment : letters.segments.headMap(letters.segments.lastKey()).values()) {
        if (!segment.isUsed() && admin.countMessages(segment.queue()) == 0) {
          empty.add(segment);
        }
      }
      for (LetterSegment segment : empty) {
        admin.delete(segment.queue());
        letters.segments.remove(segment.number());
      }
      return empty.size();
    }
  }

  private Letters letters(TopicName topic) {
    list();
    return topics.computeIfAbsent(topic, unknown -> new Letters());
  }

  /** Learns once which queues there are. */
  private synchronized void list() {
    if (!listed) {
      for (SimpleString name : admin.queues()) {
        QueueNames.segmentOf(name.toString()).ifPresent(this::found);
      }
      listed = true;
    }
  }

  private void found(QueueNames.Segment name) {
    topics
        .computeIfAbsent(name.topic(), unknown -> new Letters())
        .segments
        .put(name.number(), new LetterSegment(name.topic(), name.number()));
  }
}
