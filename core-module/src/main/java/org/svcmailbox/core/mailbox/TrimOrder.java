package org.svcmailbox.core.mailbox;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * Chooses the ledger to trim next: the one with the oldest entries or, when bytes are short, the
 * oldest ledger of the topic with the most entries. So a busy topic shortens its own ledgers and
 * not those of others. Pure; one thread.
 */
final class TrimOrder {
  /**
   * A ledger that can be trimmed.
   *
   * @param since the time of its oldest entries
   * @param entries the number of its entries when it was examined
   */
  record Aged(LedgerId ledger, Instant since, long entries) {}

  /** The ledgers of one topic. */
  private static final class OfTopic {
    private final PriorityQueue<Aged> oldestFirst =
        new PriorityQueue<>(Comparator.comparing(Aged::since));
    private long entries;
  }

  private static final Comparator<OfTopic> OLDER =
      Comparator.comparing((OfTopic topic) -> since(topic)).reversed();

  private final Map<Integer, OfTopic> byTopic = new HashMap<>();

  void add(Aged one) {
    OfTopic topic = byTopic.computeIfAbsent(one.ledger().topicId(), id -> new OfTopic());
    topic.oldestFirst.add(one);
    topic.entries += one.entries();
  }

  /** Removes a ledger from the order, to trim it. */
  void remove(Aged one) {
    OfTopic topic = byTopic.get(one.ledger().topicId());
    if (topic != null && topic.oldestFirst.remove(one)) {
      topic.entries -= one.entries();
      if (topic.oldestFirst.isEmpty()) {
        byTopic.remove(one.ledger().topicId());
      }
    }
  }

  /** The ledger with the oldest entries of all; null if there is none. */
  @Nullable Aged oldest() {
    return first(byTopic.values(), OLDER);
  }

  /** The oldest ledger of the topic with the most entries; null if there is none. */
  @Nullable Aged ofLargest() {
    return first(
        byTopic.values(),
        Comparator.comparingLong((OfTopic topic) -> topic.entries).thenComparing(OLDER));
  }

  private static @Nullable Aged first(Collection<OfTopic> topics, Comparator<OfTopic> order) {
    return topics.stream().max(order).map(topic -> topic.oldestFirst.peek()).orElse(null);
  }

  private static Instant since(OfTopic topic) {
    Aged first = topic.oldestFirst.peek();
    return first == null ? Instant.MAX : first.since();
  }

  /**
   * How many entries a topic may lose at once: its excess over any other topic, or a sixteenth of
   * its entries if others have about as many.
   */
  long excessOf(int topic) {
    OfTopic ledgers = byTopic.get(topic);
    if (ledgers == null) {
      return 0;
    }
    long others =
        byTopic.values().stream()
            .filter(other -> other != ledgers)
            .mapToLong(other -> other.entries)
            .max()
            .orElse(0);
    return Math.max(ledgers.entries - others, ledgers.entries / 16);
  }

  /** The time of a topic's oldest entries; the latest possible time if it has none. */
  Instant oldestOf(int topic) {
    OfTopic ledgers = byTopic.get(topic);
    return ledgers == null ? Instant.MAX : since(ledgers);
  }
}
