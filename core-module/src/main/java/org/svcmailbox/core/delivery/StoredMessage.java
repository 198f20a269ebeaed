package org.svcmailbox.core.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;

/**
 * A message as the broker holds it.
 *
 * @param lastError why its last delivery failed, null before the first failure
 * @param expiresAt when, unread, it becomes a dead letter (wall clock)
 * @param history what happened to it before
 * @param trace where it stands in its sender's trace, if that was said
 */
public record StoredMessage(
    Envelope envelope,
    Payload payload,
    @Nullable String lastError,
    Instant expiresAt,
    MessageHistory history,
    @Nullable TraceContext trace) {

  /** A message to which nothing happened yet. */
  public StoredMessage(
      Envelope envelope,
      Payload payload,
      @Nullable String lastError,
      Instant expiresAt,
      @Nullable TraceContext trace) {
    this(envelope, payload, lastError, expiresAt, MessageHistory.NONE, trace);
  }

  /** The same outside any trace. */
  public StoredMessage(
      Envelope envelope, Payload payload, @Nullable String lastError, Instant expiresAt) {
    this(envelope, payload, lastError, expiresAt, null);
  }

  /** The same message after a delivery that failed, ready for the next. */
  public StoredMessage failed(MessageEvent event) {
    return new StoredMessage(
        envelope.withAttempt(event.attempt() + 1),
        payload,
        event.note(),
        expiresAt,
        history.with(event),
        trace);
  }

  /**
   * The same message as a dead letter.
   *
   * @param keptUntil until when it is kept
   */
  public StoredMessage dead(Quarantine why, Instant keptUntil) {
    MessageEvent event = why.event();
    return new StoredMessage(
        envelope.withAttempt(why.attempt()),
        payload,
        why.lastError(),
        keptUntil,
        event == null ? history : history.with(event),
        trace);
  }
}
