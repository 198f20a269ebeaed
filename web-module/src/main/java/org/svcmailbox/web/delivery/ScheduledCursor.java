package org.svcmailbox.web.delivery;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.core.delivery.ScheduledMessage.Position;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.SchemaException;

/** Where a page of scheduled messages begins, as text that means nothing to clients. */
final class ScheduledCursor {
  static final String NAME = "cursor";

  private static final Pattern FORM = Pattern.compile("([0-9]{1,15})-([0-9A-Z]{26})");

  private ScheduledCursor() {}

  static String text(Position position) {
    return position.due().toEpochMilli() + "-" + position.msgId();
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws SchemaException when it is anything else
   */
  static Position parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      try {
        Instant due = Instant.ofEpochMilli(Long.parseLong(matcher.group(1)));
        return new Position(due, MsgId.parse(matcher.group(2)));
      } catch (SchemaException e) {
        throw refused();
      }
    }
    throw refused();
  }

  private static SchemaException refused() {
    return new SchemaException(NAME, "must be the next_cursor of an answer");
  }
}
