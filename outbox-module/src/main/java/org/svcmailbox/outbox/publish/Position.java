package org.svcmailbox.outbox.publish;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;

/**
 * A place in the order of events.
 *
 * @param occurredAt when the event there occurred
 * @param id its id, which decides among events of the same microsecond
 */
public record Position(Instant occurredAt, MessageId id) implements Comparable<Position> {
  /** Before all events. */
  public static final Position HEAD =
      new Position(EventRules.EARLIEST, new MessageId(new UUID(0, 0)));

  private static final Comparator<Position> ORDER =
      Comparator.comparing(Position::occurredAt).thenComparing(Position::id);

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
