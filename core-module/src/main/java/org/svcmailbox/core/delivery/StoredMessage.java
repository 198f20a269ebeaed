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
 * @param trace where it stands in its sender's trace, if that was said
 */
public record StoredMessage(
    Envelope envelope,
    Payload payload,
    @Nullable String lastError,
    Instant expiresAt,
    @Nullable TraceContext trace) {

  /** A message outside any trace. */
  public StoredMessage(
      Envelope envelope, Payload payload, @Nullable String lastError, Instant expiresAt) {
    this(envelope, payload, lastError, expiresAt, null);
  }

  /** The same message after a delivery that failed. */
  public StoredMessage failed(int attempt, String error, Instant expiry) {
    return new StoredMessage(envelope.withAttempt(attempt), payload, error, expiry, trace);
  }
}
