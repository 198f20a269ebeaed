package org.svcmailbox.ejb.letters;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueNames;

/** One topic's queues of dead letters. Every method locks it, also while it asks the broker. */
final class TopicSegments {
  private final TopicName topic;
  private final BrokerAdmin admin;
  private final TreeMap<Integer, LetterSegment> segments = new TreeMap<>();

  /** The contents of the last queue, with what is staged here. */
  private long letters;

  private long bytes;

  /** Letters staged since the broker's last count, which has those of other nodes too. */
  private long uncountedLetters = LetterSegments.UNCOUNTED_LETTERS;

  private long uncountedBytes;

  TopicSegments(TopicName topic, BrokerAdmin admin) {
    this.topic = topic;
    this.admin = admin;
  }

  /** Adds a queue that another process created. */
  synchronized void found(int number) {
    if (!segments.isEmpty() && number > segments.lastKey()) {
      restart();
    }
    segments.putIfAbsent(number, new LetterSegment(topic, number));
  }

  /** Creates the first queue, or recreates the last one if it was removed. */
  synchronized void create() {
    add(segments.isEmpty() ? 0 : segments.lastKey());
  }

  synchronized void delete() {
    segments.values().forEach(segment -> admin.queues().delete(segment.queue()));
    segments.clear();
    restart();
  }

  /** Has the next letter count the last queue. */
  private void restart() {
    letters = 0;
    bytes = 0;
    uncountedLetters = LetterSegments.UNCOUNTED_LETTERS;
  }

  synchronized List<Integer> numbers() {
    return List.copyOf(segments.keySet());
  }

  /** Forgets a queue that another node has removed. */
  synchronized void gone(int number) {
    LetterSegment segment = segments.get(number);
    if (segment != null && !segment.isUsed()) {
      segments.remove(number);
    }
  }

  synchronized boolean exist() {
    return !segments.isEmpty();
  }

  synchronized LetterSegment enter(int size) {
    LetterSegment segment = withRoom();
    letters++;
    bytes += size;
    uncountedLetters++;
    uncountedBytes += size;
    segment.enter();
    return segment;
  }

  private LetterSegment withRoom() {
    if (segments.isEmpty()) {
      // The topic is being deleted, or its queues are gone: the transaction must fail.
      return new LetterSegment(topic, 0);
    }
    LetterSegment last = segments.lastEntry().getValue();
    count(last);
    while (letters >= LetterSegments.MOST_LETTERS || bytes >= LetterSegments.MOST_BYTES) {
      last = add(last.number() + 1);
      restart();
      count(last);
    }
    return last;
  }

  /** Counts what others put into the last queue. The broker does not count what is staged. */
  private void count(LetterSegment last) {
    if (uncountedLetters >= LetterSegments.UNCOUNTED_LETTERS
        || uncountedBytes >= LetterSegments.UNCOUNTED_BYTES) {
      letters = Math.max(letters, admin.queues().countMessages(last.queue()));
      bytes = Math.max(bytes, admin.queues().bytes(last.queue()));
      uncountedLetters = 0;
      uncountedBytes = 0;
    }
  }

  private LetterSegment add(int number) {
    LetterSegment known = segments.get(number);
    LetterSegment segment = known == null ? new LetterSegment(topic, number) : known;
    admin.queues().createArchive(segment.queue());
    segments.put(number, segment);
    return segment;
  }

  synchronized @Nullable SimpleString queue(int number) {
    if (!segments.containsKey(number)
        && admin.queues().exists(QueueNames.deadLetters(topic, number))) {
      // Another node created it.
      found(number);
    }
    LetterSegment segment = segments.get(number);
    return segment == null ? null : segment.queue();
  }

  synchronized List<LetterSegment> oldestFirst() {
    return List.copyOf(segments.values());
  }

  synchronized int removeEmpty(Instant now) {
    if (segments.size() < 2) {
      return 0;
    }
    List<LetterSegment> empty =
        segments.headMap(segments.lastKey()).values().stream()
            .filter(segment -> staysEmpty(segment, now))
            .toList();
    for (LetterSegment segment : empty) {
      admin.queues().delete(segment.queue());
      segments.remove(segment.number());
    }
    return empty.size();
  }

  private boolean staysEmpty(LetterSegment segment, Instant now) {
    boolean isEmpty = !segment.isUsed() && admin.queues().countMessages(segment.queue()) == 0;
    return segment.emptyFor(isEmpty, now).compareTo(BrokerAdmin.EMPTY_FOR) >= 0;
  }
}
