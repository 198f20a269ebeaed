package org.svcmailbox.core.redrive;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * The parameters of a job.
 *
 * @param toTopic the topic that gets the letters as new messages; null redrives in place
 * @param ttl the new time to live of each message; null keeps the letter's own
 */
public record JobSpec(
    TopicName topic,
    JobAction action,
    Selection selection,
    int rate,
    @Nullable TopicName toTopic,
    @Nullable Duration ttl,
    String note) {
  /** The most characters. */
  public static final int MAX_NOTE = 1_024;

  /** The most letters per second. */
  public static final int MAX_RATE = 10_000;

  public JobSpec {
    if (rate < 1 || rate > MAX_RATE) {
      throw new IllegalArgumentException(rate + " a second");
    }
    if (action == JobAction.DISCARD && (toTopic != null || ttl != null)) {
      throw new IllegalArgumentException("discarded letters have no target and no time to live");
    }
  }

  /** The time that {@code letters} take at this rate. */
  public Duration pace(int letters) {
    return Duration.ofSeconds(1).multipliedBy(letters).dividedBy(rate);
  }
}
