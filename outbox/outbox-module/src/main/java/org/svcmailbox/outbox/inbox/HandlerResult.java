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
   * It can never be done: it becomes a dead letter at once.
   *
   * @param reason for operators
   */
  record Poison(String reason) implements HandlerResult {}

  /**
   * It cannot be done now.
   *
   * @param reason for operators
   * @param delay when to try again; null for the topic's backoff
   */
  record Retry(String reason, @Nullable Duration delay) implements HandlerResult {}
}
