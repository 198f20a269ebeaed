package org.svcmailbox.web.delivery;

import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.core.broker.ScheduledMessage.Position;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.http.Query;

/** The start of a page of scheduled messages as opaque text. */
final class ScheduledCursor {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,15})-([0-9A-Z]{26})");

  private ScheduledCursor() {}

  static String text(Position position) {
    return position.due().toEpochMilli() + "-" + position.msgId();
  }

  /**
   * Parses the output of {@link #text}.
   *
   * @throws SchemaException for any other text
   */
  static Position parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      try {
        Instant due = Instant.ofEpochMilli(Long.parseLong(matcher.group(1)));
        return new Position(due, MsgId.parse(matcher.group(2)));
      } catch (SchemaException e) {
        throw Query.unknownCursor();
      }
    }
    throw Query.unknownCursor();
  }
}
