package org.svcmailbox.outbox.inbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a handler. */
public sealed interface HandlerResult {
  /** It is done. */
  record Processed() implements HandlerResult {}

  /** It was done before. */
  record AlreadyProcessed() implements HandlerResult {}

  /**
   * The event can never be handled; its message becomes a dead letter at once.
   *
   * @param reason for operators
   */
  record Poison(String reason) implements HandlerResult {}

  /**
   * The event cannot be handled now.
   *
   * @param reason for operators
   * @param delay the time to the next try; null for the topic's backoff
   */
  record Retry(String reason, @Nullable Duration delay) implements HandlerResult {}
}
