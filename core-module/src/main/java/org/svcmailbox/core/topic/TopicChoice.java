package org.svcmailbox.core.topic;

import java.util.Locale;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Which topics a list has, and in which order.
 *
 * @param part of the name, in lower or upper case; empty for all topics
 * @param limit the most topics
 */
public record TopicChoice(String part, TopicOrder order, int limit) {
  /** All topics by name. */
  public static final TopicChoice ALL = new TopicChoice("", TopicOrder.NAME, Integer.MAX_VALUE);

  /** Keeps the part in lower case, so that equal choices are equal. */
  public TopicChoice {
    part = part.toLowerCase(Locale.ROOT);
  }

  /** The same choice with so many topics more. */
  public TopicChoice more(int topics) {
    return new TopicChoice(part, order, limit + topics);
  }

  public boolean matches(TopicName name) {
    return name.value().toLowerCase(Locale.ROOT).contains(part);
  }
}
