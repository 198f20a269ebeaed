package org.svcmailbox.core.deadletter;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/**
 * Brings the index to what the queues have: letters that died just before a crash, that the inbox
 * had no room for, whose retention is over, that were trimmed, of topics that are gone. Queues and
 * index are compared by count, and a queue that differs letter by letter. A step does a bounded
 * amount. One thread.
 */
final class Reconciler {
  private static final Logger LOG = System.getLogger(Reconciler.class.getName());

  /** Queues that are read letter by letter in one step. */
  private static final int BROWSED = 4;

  /** Letters of topics that are gone, removed in one transaction. */
  private static final int REMOVED = 200;

  private final TopicDirectory topics;
  private final LetterIndex index;
  private final LetterQueues queues;
  private final LetterInbox inbox;
  private Iterator<TopicName> looking = Collections.emptyIterator();

  Reconciler(TopicDirectory topics, LetterIndex index, LetterQueues queues, LetterInbox inbox) {
    this.topics = topics;
    this.index = index;
    this.queues = queues;
    this.inbox = inbox;
  }

  /**
   * Compares all topics, or goes on where the step before had done enough.
   *
   * @return whether that was all
   */
  boolean step() {
    if (!looking.hasNext()) {
      looking = everyTopic().iterator();
    }
    int browsed = 0;
    while (looking.hasNext() && browsed < BROWSED) {
      TopicName topic = looking.next();
      if (topics.find(topic).isPresent()) {
        browsed += compare(topic);
      } else {
        removeAll(topic);
      }
    }
    return !looking.hasNext();
  }

  /** Those that exist, and those that the index still knows. */
  private Set<TopicName> everyTopic() {
    Set<TopicName> all = new TreeSet<>(index.topics());
    topics.all().stream().map(Topic::name).forEach(all::add);
    return all;
  }

  private void removeAll(TopicName topic) {
    int removed = REMOVED;
    while (removed == REMOVED) {
      removed = index.removeSome(topic, REMOVED);
    }
  }

  /** Answers how many queues differed. */
  private int compare(TopicName topic) {
    Map<Integer, Long> there = queues.counts(topic);
    inbox.flush();
    Map<Integer, Long> known = index.segments(topic);
    Set<Integer> segments = new TreeSet<>(there.keySet());
    segments.addAll(known.keySet());
    int differ = 0;
    for (int segment : segments) {
      if (!there.getOrDefault(segment, 0L).equals(known.getOrDefault(segment, 0L))) {
        differ++;
        heal(topic, segment);
      }
    }
    return differ;
  }

  private void heal(TopicName topic, int segment) {
    Set<Place> before = index.places(topic, segment);
    List<DeadLetter> there = queues.browse(topic, segment);
    inbox.flush();
    Set<Place> after = index.places(topic, segment);
    Set<Place> gone = new HashSet<>(before);
    there.forEach(letter -> gone.remove(letter.place()));
    List<DeadLetter> missing =
        there.stream().filter(letter -> !after.contains(letter.place())).toList();
    index.add(missing);
    index.remove(gone);
    if (!missing.isEmpty() || !gone.isEmpty()) {
      LOG.log(
          Level.DEBUG,
          "{0}, queue {1}: {2} letters were not in the index, {3} only there",
          topic,
          segment,
          missing.size(),
          gone.size());
    }
  }
}
