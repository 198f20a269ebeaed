package org.svcmailbox.client.listener;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.loop.DLQConfig;
import org.svcmailbox.client.loop.MainLoop;

/**
 * The settings of a listener's loop.
 *
 * @param concurrency how many messages are handled at a time
 * @param maxExecution how long a call may take; empty for the loop's default
 * @param retryDelay how long a message stays hidden after its call failed; empty for the loop's
 *     default
 * @param deadLetterMailbox the name of the mailbox that receives dead letters
 * @param deadLetterLimit how many deliveries a message may have
 * @param stopTimeout how long handlers may still run when the application stops
 */
public record ListenerSettings(
    int concurrency,
    boolean ordered,
    Duration visibility,
    Optional<Duration> maxExecution,
    Optional<Duration> retryDelay,
    Optional<String> deadLetterMailbox,
    OptionalInt deadLetterLimit,
    Duration stopTimeout) {

  /**
   * Applies these settings to a builder of a loop.
   *
   * @param deadLetters opens the mailbox that receives dead letters
   */
  public void configure(
      MainLoop.Builder<?, ?> loop, Function<String, Mailbox<byte[], ?>> deadLetters) {
    loop.workers(concurrency).visibility(visibility).deadLetters(fate(deadLetters));
    maxExecution.ifPresent(loop::maxExecution);
    retryDelay.ifPresent(loop::retryDelay);
    if (ordered) {
      loop.ordered();
    }
  }

  private DLQConfig fate(Function<String, Mailbox<byte[], ?>> deadLetters) {
    if (deadLetterLimit.isEmpty()) {
      return DLQConfig.backend();
    }
    int limit = deadLetterLimit.getAsInt();
    return deadLetterMailbox
        .map(name -> DLQConfig.to(deadLetters.apply(name), limit))
        .orElseGet(() -> DLQConfig.logAndAcknowledge(limit));
  }
}
