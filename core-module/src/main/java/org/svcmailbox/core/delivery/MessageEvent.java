package org.svcmailbox.core.delivery;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityId;

/**
 * An event in the life of an accepted message. {@code at} is wall-clock time in whole milliseconds;
 * {@code by} is the capability used, or that held the lease.
 */
public record MessageEvent(
    Kind kind, Instant at, int attempt, String note, @Nullable CapabilityId by) {
  public static final int MAX_NOTE = SettleRequest.Nack.MAX_REASON;

  public enum Kind {
    /** The consumer returned it. */
    NACKED,
    /** Its lease ran out. */
    EXPIRED,
    /** Redriven from the dead letters; attempts restart. */
    REPROCESSED;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public MessageEvent {
    if (attempt < 0 || note.length() > MAX_NOTE) {
      throw new IllegalArgumentException("attempt " + attempt + ", a note of " + note.length());
    }
  }
}
