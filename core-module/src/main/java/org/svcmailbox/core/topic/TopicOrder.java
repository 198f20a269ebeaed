package org.svcmailbox.core.topic;

import java.util.Comparator;
import java.util.Locale;
import org.svcmailbox.core.topic.TopicAdmin.TopicGlance;

/**
 * The orders of a list of topics. All but {@link #NAME} begin with the greatest value; of equal
 * topics, the one with the older ready message comes first, then by name.
 */
public enum TopicOrder {
  NAME,
  LETTERS,
  READY,
  OLDEST,
  INFLIGHT,
  SATURATION,
  SENT;

  private static final Comparator<TopicGlance> BY_NAME = Comparator.comparing(TopicGlance::name);

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Comparator<TopicGlance> comparator() {
    return this == NAME
        ? BY_NAME
        : Comparator.comparingDouble(this::value)
            .thenComparingLong(TopicGlance::oldestReadyAgeMillis)
            .reversed()
            .thenComparing(BY_NAME);
  }

  private double value(TopicGlance glance) {
    return switch (this) {
      case NAME -> 0;
      case LETTERS -> glance.dlq();
      case READY -> glance.ready();
      case OLDEST -> glance.oldestReadyAgeMillis();
      case INFLIGHT -> glance.inflight();
      case SATURATION -> glance.saturation();
      case SENT -> glance.rates().sent();
    };
  }
}
