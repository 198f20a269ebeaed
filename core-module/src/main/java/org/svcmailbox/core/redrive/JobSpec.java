package org.svcmailbox.core.redrive;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The parameters of a job.
 *
 * @param first how many letters it moves before it pauses; null for no pause
 * @param toTopic the topic that gets the letters as new messages; null redrives in place
 * @param ttl the new time to live of each message; null keeps the letter's own
 */
public record JobSpec(
    TopicName topic,
    JobAction action,
    Selection selection,
    int rate,
    @Nullable Integer first,
    @Nullable TopicName toTopic,
    @Nullable Duration ttl,
    String note) {
  /** The most characters. */
  public static final int MAX_NOTE = 1_024;

  /** The most letters per second. */
  public static final int MAX_RATE = 10_000;

  /** The most letters before a job pauses. */
  public static final int MAX_FIRST = 100;

  public JobSpec {
    if (rate < 1 || rate > MAX_RATE) {
      throw new IllegalArgumentException(rate + " a second");
    }
    if (first != null && (first < 1 || first > MAX_FIRST)) {
      throw new IllegalArgumentException("first " + first);
    }
    if (action == JobAction.DISCARD && (first != null || toTopic != null || ttl != null)) {
      throw new IllegalArgumentException("a discard has no pause, no target and no time to live");
    }
  }

  JobSpec withRate(int next) {
    return new JobSpec(topic, action, selection, next, first, toTopic, ttl, note);
  }

  JobSpec withoutFirst() {
    return new JobSpec(topic, action, selection, rate, null, toTopic, ttl, note);
  }

  /** The time that {@code letters} take at this rate. */
  public Duration pace(int letters) {
    return Duration.ofSeconds(1).multipliedBy(letters).dividedBy(rate);
  }
}
