package org.svcmailbox.core.delivery;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;

/**
 * A message whose time has not come, without its payload.
 *
 * @param due when it becomes ready (wall clock), to the millisecond
 * @param lastError why its last delivery failed, null before the first failure
 */
public record ScheduledMessage(Envelope envelope, Instant due, @Nullable String lastError) {
  /** Soonest first; of those due at once, in the order of their ids. */
  public static final Comparator<ScheduledMessage> ORDER =
      Comparator.comparing(ScheduledMessage::position);

  /** Where it is in that order. */
  public Position position() {
    return new Position(due, envelope.msgId());
  }

  /** A place among the scheduled messages of a topic. */
  public record Position(Instant due, MsgId msgId) implements Comparable<Position> {
    /** Before all of them. */
    public static final Position FIRST = new Position(Instant.EPOCH, MsgId.ofBytes(new byte[16]));

    private static final Comparator<Position> ORDER =
        Comparator.comparing(Position::due).thenComparing(Position::msgId);

    @Override
    public int compareTo(Position other) {
      return ORDER.compare(this, other);
    }
  }
}
