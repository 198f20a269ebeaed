package org.svcmailbox.core.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;

/**
 * An event in the life of an accepted message.
 *
 * @param at wall-clock time in whole milliseconds
 * @param by the capability that was used, or that held the lease
 */
public record MessageEvent(
    Kind kind, Instant at, int attempt, String note, @Nullable CapabilityId by) {
  /** The longest note, in characters. */
  public static final int MAX_NOTE = 1024;

  /** The note of a NACK that gave no reason. */
  public static final String NO_REASON = "refused without a reason";

  public enum Kind {
    /** The consumer returned it. */
    NACKED("nacked"),
    /** Its lease expired. */
    EXPIRED("expired"),
    /** Redriven from the dead letters; attempts restart. */
    REDRIVEN("reprocessed");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  public MessageEvent {
    if (attempt < 0 || note.length() > MAX_NOTE) {
      throw new IllegalArgumentException("attempt " + attempt + ", a note of " + note.length());
    }
  }
}
