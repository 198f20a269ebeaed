package org.svcmailbox.core.message;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.settings.TopicRetention;

/**
 * A message in the broker's form.
 *
 * @param expiresAt when it becomes a dead letter if no client receives it (wall clock)
 * @param ttl how long it may be ready; null for its topic's retention
 */
public record StoredMessage(
    Envelope envelope,
    Payload payload,
    @Nullable String lastError,
    Instant expiresAt,
    @Nullable Duration ttl,
    MessageHistory history,
    @Nullable TraceContext trace) {

  public StoredMessage(
      Envelope envelope,
      Payload payload,
      @Nullable String lastError,
      Instant expiresAt,
      @Nullable TraceContext trace) {
    this(envelope, payload, lastError, expiresAt, null, MessageHistory.NONE, trace);
  }

  public StoredMessage(
      Envelope envelope, Payload payload, @Nullable String lastError, Instant expiresAt) {
    this(envelope, payload, lastError, expiresAt, null);
  }

  /**
   * When a message ready at {@code readyAt} expires. The time restarts whenever it becomes ready,
   * so delays and leases do not consume it.
   */
  public static Instant expiry(Instant readyAt, @Nullable Duration ttl, TopicRetention retention) {
    return readyAt.plus(ttl != null ? ttl : retention.ready());
  }

  /**
   * The reason that a consumer gave when it refused the last delivery. Null if it gave none, if
   * that delivery's lease expired, or if there was no delivery since the message was sent or
   * redriven.
   */
  public @Nullable String nackReason() {
    List<MessageEvent> events = history.events();
    MessageEvent last = events.isEmpty() ? null : events.get(events.size() - 1);
    return last != null
            && last.kind() == MessageEvent.Kind.NACKED
            && !last.note().isEmpty()
            && !last.note().equals(MessageEvent.NO_REASON)
        ? last.note()
        : null;
  }

  /** The message after a failed delivery, with its new expiry. */
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

  /** The message with another expiry and last error. */
  public StoredMessage returned(@Nullable String note, Instant unreadUntil) {
    return new StoredMessage(envelope, payload, note, unreadUntil, ttl, history, trace);
  }

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
