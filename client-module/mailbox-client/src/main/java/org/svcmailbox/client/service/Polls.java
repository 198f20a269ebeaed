package org.svcmailbox.client.service;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/** Receives by requests, which wait in a room that may be crowded. */
public final class Polls {
  /**
   * One request.
   *
   * @param <A> the answer
   */
  public interface Ask<A> {
    /** Asks for messages, and waits at most {@code wait} for them. */
    A ask(Duration wait) throws InterruptedException;
  }

  private final CallRoom room;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;

  /** Receives of one mailbox. */
  public Polls(CallRoom room, Lifecycle lifecycle, MailboxClock clock) {
    this.room = room;
    this.lifecycle = lifecycle;
    this.clock = clock;
  }

  /**
   * Asks again after each turn, until there is an answer or the time is over.
   *
   * @param isEmpty whether an answer has no messages
   * @return null if there was no place in time, or the mailbox closes
   */
  public <A> @Nullable A poll(Duration wait, Ask<A> ask, Predicate<A> isEmpty)
      throws InterruptedException {
    long end = clock.deadline(wait);
    while (true) {
      try (CallRoom.Place place = room.acquirePlace(clock, end, () -> !lifecycle.isOpen())) {
        if (place == null) {
          return null;
        }
        A answer = ask.ask(place.bounded(left(end)));
        if (!place.isTurn() || !isEmpty.test(answer) || clock.isPast(end)) {
          return answer;
        }
      }
    }
  }

  private Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - clock.nanoTime()));
  }
}
