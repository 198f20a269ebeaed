package org.svcmailbox.outbox.publish;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.OutboxException;

/**
 * How events are published.
 *
 * @param context the bounded context, the first token of every subject
 * @param onParked whether a parked event holds back the later ones of its aggregate
 * @param round how long a transaction starts new sends; positive
 * @param answers how long it then waits for answers, positive; both together must be shorter than
 *     the 60 s after which the database ends an idle transaction
 * @param minPoll the pause after the first poll that found nothing
 * @param maxPoll the longest pause between polls
 */
public record PublisherSettings(
    String context,
    OnParked onParked,
    Duration round,
    Duration answers,
    Duration minPoll,
    Duration maxPoll) {
  private static final Duration MAX_TRANSACTION = Duration.ofSeconds(50);

  /** The effect of a parked event on its aggregate. */
  public enum OnParked {
    /** Later events wait for an operator. */
    HOLD,
    /** Later events are published. */
    SKIP
  }

  /**
   * Checks the values.
   *
   * @throws OutboxException with {@link ErrorCode#INVALID_CONFIG} if they cannot be used
   */
  public PublisherSettings {
    requireNonNull(onParked, "onParked");
    require(EventSubject.isName(context), "context is no name: " + context);
    require(isPositive(round) && isPositive(answers), "round and answers must be positive");
    require(
        round.plus(answers).compareTo(MAX_TRANSACTION) <= 0,
        "round and answers must be at most " + MAX_TRANSACTION + " together");
    require(
        isPositive(minPoll) && minPoll.compareTo(maxPoll) <= 0,
        "minPoll must be positive and at most maxPoll");
  }

  /** The defaults: hold, 10 s, 20 s, and polls after 20 ms to 250 ms. */
  public static PublisherSettings of(String context) {
    return new PublisherSettings(
        context,
        OnParked.HOLD,
        Duration.ofSeconds(10),
        Duration.ofSeconds(20),
        Duration.ofMillis(20),
        Duration.ofMillis(250));
  }

  /** The same with another fate of aggregates. */
  public PublisherSettings withOnParked(OnParked value) {
    return new PublisherSettings(context, value, round, answers, minPoll, maxPoll);
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isZero() && !duration.isNegative();
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new OutboxException(ErrorCode.INVALID_CONFIG, what);
    }
  }
}
