package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.CountsAnswer.Told;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.TopicFigures;

/**
 * The figures of this node's topics, in the order in which they last changed. All other nodes share
 * one look at the counters. Any thread.
 */
public final class CountsLog {
  /** A look that is younger serves another question. */
  static final Duration EVERY = Duration.ofMillis(500);

  private final long life;
  private final Supplier<Map<TopicName, TopicFigures>> figures;
  private final Supplier<Set<Integer>> groups;
  private final Ticker ticker;

  /** The last change of each topic, oldest first. */
  private final Map<TopicName, Change> changes = new LinkedHashMap<>();

  private long version;
  private @Nullable Long lookedAt;

  private record Change(long version, TopicFigures figures) {}

  /**
   * @param life of this process
   * @param figures of each topic on this node, from memory
   * @param groups those that this node serves
   */
  public CountsLog(
      long life,
      Supplier<Map<TopicName, TopicFigures>> figures,
      Supplier<Set<Integer>> groups,
      Ticker ticker) {
    this.life = life;
    this.figures = figures;
    this.groups = groups;
    this.ticker = ticker;
  }

  /** The first changes that another node lacks. */
  public synchronized CountsAnswer answer(CountsQuestion question) {
    Set<Integer> served = groups.get();
    look();
    long since = question.life() == life ? question.since() : 0;
    List<Told> told = new ArrayList<>();
    long upTo = since;
    for (Map.Entry<TopicName, Change> one : changes.entrySet()) {
      Change change = one.getValue();
      if (change.version() > since) {
        if (told.size() == CountsAnswer.MOST) {
          return new CountsAnswer(life, upTo, false, served, told);
        }
        told.add(new Told(one.getKey(), change.figures()));
        upTo = change.version();
      }
    }
    return new CountsAnswer(life, version, true, served, told);
  }

  private void look() {
    long now = ticker.nanos();
    if (lookedAt != null && now - lookedAt < EVERY.toNanos()) {
      return;
    }
    lookedAt = now;
    Map<TopicName, TopicFigures> seen = figures.get();
    seen.forEach(this::note);
    List.copyOf(changes.keySet()).stream()
        .filter(topic -> !seen.containsKey(topic))
        .forEach(topic -> note(topic, TopicFigures.NONE));
  }

  private void note(TopicName topic, TopicFigures now) {
    Change before = changes.get(topic);
    if (!(before == null ? TopicFigures.NONE : before.figures()).equals(now)) {
      changes.remove(topic);
      changes.put(topic, new Change(++version, now));
    }
  }
}
