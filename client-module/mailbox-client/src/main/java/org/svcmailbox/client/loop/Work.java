package org.svcmailbox.client.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Message;

/** The work of a loop on one message, for each shape of body. */
interface Work<T, R> {
  /**
   * The time limit for the work on a message.
   *
   * @param left the remaining time; zero or negative if it has passed
   * @param error the error for the sender in that case
   */
  record TimeLimit(Duration left, String error) {}

  /** Does the work, and returns the reply. */
  @Nullable R run(Message<T, R> message) throws Exception;

  /** How long the work may take, or null for as long as the loop allows. */
  @Nullable TimeLimit limit(Message<T, R> message);

  /** The reply that reports an error, or null if replies have no room for one. */
  @Nullable R failure(Message<T, R> message, String error);
}
