package org.svcmailbox.core.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.CapabilityId;

/**
 * Something that happened to a message after it was accepted, as an operator will ask about it.
 *
 * @param at wall clock, whole milliseconds
 * @param attempt the number of the delivery that it ended, or that was the last before it
 * @param note the reason that was given, or what happened in words; at most {@value #MAX_NOTE}
 *     characters
 * @param by whose capability it was done with, or held the lease; null when there was none
 */
public record MessageEvent(
    Kind kind, Instant at, int attempt, String note, @Nullable CapabilityId by) {
  /** The longest note: that of a NACK. */
  public static final int MAX_NOTE = SettleRequest.Nack.MAX_REASON;

  /** What happened. */
  public enum Kind {
    /** Its consumer refused it. */
    NACKED("nacked"),
    /** Its lease ran out. */
    EXPIRED("expired"),
    /** It was redriven; its attempts were reset. */
    REDRIVEN("reprocessed");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The form clients see. */
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
