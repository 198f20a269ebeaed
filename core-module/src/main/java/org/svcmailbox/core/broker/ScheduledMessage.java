package org.svcmailbox.core.broker;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;

/**
 * A message that is not yet due, without its payload.
 *
 * @param due by the wall clock
 */
public record ScheduledMessage(Envelope envelope, Instant due, @Nullable String lastError) {
  /** Soonest first, then by id. */
  public static final Comparator<ScheduledMessage> ORDER =
      Comparator.comparing(ScheduledMessage::position);

  public Position position() {
    return new Position(due, envelope.msgId());
  }

  /** A place in that order. */
  public record Position(Instant due, MsgId msgId) implements Comparable<Position> {
    public static final Position FIRST = new Position(Instant.EPOCH, MsgId.ofBytes(new byte[16]));

    private static final Comparator<Position> ORDER =
        Comparator.comparing(Position::due).thenComparing(Position::msgId);

    @Override
    public int compareTo(Position other) {
      return ORDER.compare(this, other);
    }
  }
}
