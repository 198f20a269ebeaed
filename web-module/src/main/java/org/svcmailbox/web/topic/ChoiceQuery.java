package org.svcmailbox.web.topic;

import static java.util.Objects.requireNonNullElse;

import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.topic.TopicChoice;
import org.svcmailbox.core.topic.TopicOrder;
import org.svcmailbox.web.http.Query;

/** Parses the query parameters that choose topics of a list. */
public final class ChoiceQuery {
  /** A part of the name. */
  public static final String PART = "q";

  /** The order. */
  public static final String SORT = "sort";

  private static final int LONGEST_PART = 255;

  private ChoiceQuery() {}

  /** Reads a choice; the query reports refused values when it ends. */
  public static TopicChoice read(Query query, int limit) {
    return new TopicChoice(
        requireNonNullElse(query.value(PART, ChoiceQuery::part), ""),
        requireNonNullElse(
            query.oneOf(SORT, TopicOrder.values(), TopicOrder::text), TopicOrder.NAME),
        limit);
  }

  private static String part(String text) {
    if (text.isEmpty() || text.length() > LONGEST_PART) {
      throw new SchemaException(PART, "must have 1 to " + LONGEST_PART + " characters");
    }
    return text;
  }
}
