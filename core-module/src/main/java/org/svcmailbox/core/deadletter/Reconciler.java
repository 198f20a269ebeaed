package org.svcmailbox.core.deadletter;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.topic.TopicDirectory;

/** Makes the index match the queues. It reads only queues whose counts differ. One thread. */
final class Reconciler {
  private static final Logger LOG = System.getLogger(Reconciler.class.getName());

  private static final int QUEUES_PER_STEP = 4;
  private static final int LETTERS_PER_REMOVAL = 200;
  private static final int REMOVALS_PER_STEP = 20;

  private record Difference(TopicName topic, int segment) {}

  private final TopicDirectory topics;
  private final LetterIndex index;
  private final LetterQueues queues;
  private final LetterInbox inbox;
  private final Deque<Difference> differences = new ArrayDeque<>();

  Reconciler(TopicDirectory topics, LetterIndex index, LetterQueues queues, LetterInbox inbox) {
    this.topics = topics;
    this.index = index;
    this.queues = queues;
    this.inbox = inbox;
  }

  /**
   * Does a bounded part of the work, continuing where the last step stopped; returns whether work
   * is left.
   */
  boolean step() {
    boolean isWorkLeft = differences.isEmpty() && compare();
    for (int browsed = 0; browsed < QUEUES_PER_STEP && !differences.isEmpty(); browsed++) {
      Difference first = differences.removeFirst();
      heal(first.topic(), first.segment());
    }
    return isWorkLeft || !differences.isEmpty();
  }

  /** Returns whether letters of deleted topics are left. */
  private boolean compare() {
    Map<TopicName, Map<Integer, Long>> there = queues.counts();
    inbox.flush();
    Map<TopicName, Map<Integer, Long>> known = index.segments();
    Set<TopicName> all = new TreeSet<>(there.keySet());
    all.addAll(known.keySet());
    boolean isWorkLeft = false;
    for (TopicName topic : all) {
      if (topics.find(topic).isPresent()) {
        compare(topic, there.getOrDefault(topic, Map.of()), known.getOrDefault(topic, Map.of()));
      } else {
        isWorkLeft |= removeSome(topic);
      }
    }
    return isWorkLeft;
  }

  private void compare(TopicName topic, Map<Integer, Long> there, Map<Integer, Long> known) {
    Set<Integer> segments = new TreeSet<>(there.keySet());
    segments.addAll(known.keySet());
    for (int segment : segments) {
      if (!there.getOrDefault(segment, 0L).equals(known.getOrDefault(segment, 0L))) {
        differences.add(new Difference(topic, segment));
      }
    }
  }

  private boolean removeSome(TopicName topic) {
    int removed = LETTERS_PER_REMOVAL;
    for (int i = 0; i < REMOVALS_PER_STEP && removed > 0; i++) {
      removed = index.removeSome(topic, LETTERS_PER_REMOVAL);
    }
    return removed > 0;
  }

  private void heal(TopicName topic, int segment) {
    Set<LetterPosition> before = index.positions(topic, segment);
    List<DeadLetter> there = queues.browse(topic, segment);
    inbox.flush();
    Set<LetterPosition> after = index.positions(topic, segment);
    Set<LetterPosition> gone = new HashSet<>(before);
    there.forEach(letter -> gone.remove(letter.position()));
    // A letter that was in the index has moved since it was browsed.
    List<DeadLetter> missing =
        there.stream()
            .filter(letter -> !after.contains(letter.position()))
            .filter(letter -> !before.contains(letter.position()))
            .toList();
    index.add(missing);
    index.remove(gone);
    LOG.log(
        Level.DEBUG,
        "{0}, queue {1}: {2} letters were missing from the index, {3} from the queue",
        topic,
        segment,
        missing.size(),
        gone.size());
  }
}
