package org.svcmailbox.core.history;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The figures of a minute. Sums add up over minutes; of the others, the largest counts. */
public enum Series {
  /** New messages. */
  SENT(true),
  /** Messages passed to clients. */
  DELIVERED(true),
  /** Messages passed to clients in a later attempt. */
  REDELIVERED(true),
  /** Messages that clients acknowledged. */
  ACKED(true),
  /** New dead letters. */
  DEAD(true),
  /** Messages that can be received. */
  READY(false),
  /** Messages that wait for their time. */
  SCHEDULED(false),
  /** Leased messages. */
  INFLIGHT(false),
  /** Dead letters. */
  LETTERS(false),
  /** Age of the oldest ready message in milliseconds. */
  OLDEST_MS(false),
  /** Refused calls; only of the service. */
  REFUSED(true);

  /** All series of a topic. */
  public static final List<Series> OF_TOPIC =
      Arrays.stream(values()).filter(series -> series != REFUSED).toList();

  private final boolean isSum;

  Series(boolean isSum) {
    this.isSum = isSum;
  }

  /** Whether minutes add up. */
  public boolean isSum() {
    return isSum;
  }

  /** The name of its column, and in answers. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Merges the values of two minutes. */
  long merged(long one, long other) {
    return isSum ? one + other : Math.max(one, other);
  }

  /** Adds the values of two topics or nodes in one minute. */
  long added(long one, long other) {
    return this == OLDEST_MS ? Math.max(one, other) : one + other;
  }
}
