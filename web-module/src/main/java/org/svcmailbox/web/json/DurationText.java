package org.svcmailbox.web.json;

import java.time.Duration;
import org.svcmailbox.amount.Amounts;
import org.svcmailbox.core.problem.SchemaException;

public final class DurationText {
  private DurationText() {}

  /**
   * Parses a duration.
   *
   * @throws SchemaException naming the field
   */
  public static Duration parse(String field, String text) {
    try {
      return Amounts.duration(text);
    } catch (IllegalArgumentException e) {
      throw new SchemaException(field, String.valueOf(e.getMessage()));
    }
  }
}
