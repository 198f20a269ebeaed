package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.settings.TopicRetention;

/**
 * A message as the broker holds it.
 *
 * @param lastError why its last delivery failed, null before the first failure
 * @param expiresAt when, unread, it becomes a dead letter (wall clock)
 * @param ttl how long it may be ready before that, null for its topic's retention
 * @param history what happened to it before
 * @param trace where it stands in its sender's trace, if that was said
 */
public record StoredMessage(
    Envelope envelope,
    Payload payload,
    @Nullable String lastError,
    Instant expiresAt,
    @Nullable Duration ttl,
    MessageHistory history,
    @Nullable TraceContext trace) {

  /** A message to which nothing happened yet. */
  public StoredMessage(
      Envelope envelope,
      Payload payload,
      @Nullable String lastError,
      Instant expiresAt,
      @Nullable TraceContext trace) {
    this(envelope, payload, lastError, expiresAt, null, MessageHistory.NONE, trace);
  }

  /** The same outside any trace. */
  public StoredMessage(
      Envelope envelope, Payload payload, @Nullable String lastError, Instant expiresAt) {
    this(envelope, payload, lastError, expiresAt, null);
  }

  /**
   * When a message that is ready at {@code readyAt} expires. Each time it becomes ready the count
   * begins again, so that neither a delay nor a lease takes any of it.
   *
   * @param ttl of its own, null for its topic's
   */
  public static Instant expiry(Instant readyAt, @Nullable Duration ttl, TopicRetention retention) {
    return readyAt.plus(ttl != null ? ttl : retention.ready());
  }

  /**
   * The same message after a delivery that failed, ready for the next.
   *
   * @param unreadUntil when it expires now
   */
  public StoredMessage failed(MessageEvent event, Instant unreadUntil) {
    return new StoredMessage(
        envelope.withAttempt(event.attempt() + 1),
        payload,
        event.note(),
        unreadUntil,
        ttl,
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
        ttl,
        event == null ? history : history.with(event),
        trace);
  }
}
