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
 * @param seq its number in the order of insertion, which decides among events of one time; 0 for
 *     those that were inserted before there were numbers
 * @param id decides among these
 */
public record Position(Instant occurredAt, long seq, MessageId id) implements Comparable<Position> {
  /** Before all events. */
  public static final Position HEAD =
      new Position(EventRules.EARLIEST, 0, new MessageId(new UUID(0, 0)));

  private static final Comparator<Position> ORDER =
      Comparator.comparing(Position::occurredAt)
          .thenComparingLong(Position::seq)
          .thenComparing(Position::id);

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
