package org.svcmailbox.core.condition;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.condition.Observation.TopicLoad;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;

/**
 * Follows the counts of dead letters. A condition begins with a new letter and ends {@link #LASTS}
 * after the last one; its value is the letters since it began. One thread.
 */
final class NewLetters {
  static final Duration LASTS = Duration.ofMinutes(15);

  private Map<Key, Count> counts = Map.of();

  private record Key(TopicName topic, DeadLetterReason reason) {}

  /**
   * A count and its rise.
   *
   * @param before the count before the rise
   * @param since when the rise began; null if there is none
   * @param last when the count last rose
   */
  private record Count(long count, long before, @Nullable Instant since, Instant last) {
    Count after(long next, Instant now) {
      boolean isOver = since == null || !now.isBefore(last.plus(LASTS));
      if (next > count) {
        return isOver ? new Count(next, count, now, now) : new Count(next, before, since, now);
      }
      // A topic that was deleted and created again counts from the beginning.
      return isOver || next < count ? new Count(next, next, null, now) : this;
    }
  }

  /** The conditions of one observation. */
  List<Condition> after(List<TopicLoad> topics, Instant now) {
    Map<Key, Count> followed = new HashMap<>();
    List<Condition> firing = new ArrayList<>();
    for (TopicLoad topic : topics) {
      topic
          .letters()
          .forEach(
              (reason, count) ->
                  follow(followed, firing, new Key(topic.topic(), reason), count, now));
    }
    counts = followed;
    return firing;
  }

  /** Before the first observation of a process, a topic had no letters that count. */
  private void follow(
      Map<Key, Count> followed, List<Condition> firing, Key key, long count, Instant now) {
    if (count == 0) {
      return;
    }
    Count next = counts.getOrDefault(key, new Count(0, 0, null, now)).after(count, now);
    followed.put(key, next);
    Instant since = next.since();
    if (since != null) {
      firing.add(
          new Condition(
              ConditionKind.LETTERS_NEW,
              since,
              key.topic(),
              key.reason().text(),
              (double) (next.count() - next.before())));
    }
  }
}
