package org.svcmailbox.core.redrive;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;

/**
 * What a job is to do.
 *
 * @param topic whose letters
 * @param rate letters a second, at most
 * @param toTopic where they go as new messages; null for where they came from
 * @param note why, in the operator's words; at most {@value #MAX_NOTE} characters
 */
public record JobOrder(
    TopicName topic,
    JobAction action,
    Selection selection,
    int rate,
    @Nullable TopicName toTopic,
    String note) {
  /** The longest note, in characters. */
  public static final int MAX_NOTE = 1_024;

  /** The highest rate. */
  public static final int MAX_RATE = 10_000;

  public JobOrder {
    if (rate < 1 || rate > MAX_RATE) {
      throw new IllegalArgumentException(rate + " a second");
    }
    if (action == JobAction.DISCARD && toTopic != null) {
      throw new IllegalArgumentException("what is discarded goes nowhere");
    }
  }
}
