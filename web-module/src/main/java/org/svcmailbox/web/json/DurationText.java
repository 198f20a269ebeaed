package org.svcmailbox.web.json;

import java.time.Duration;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.Durations;

public final class DurationText {
  private DurationText() {}

  /**
   * Parses a duration.
   *
   * @throws SchemaException naming the field
   */
  public static Duration parse(String field, String text) {
    try {
      return Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw new SchemaException(field, "must be a duration such as 250ms, 5s, 7d or PT5S");
    }
  }
}
