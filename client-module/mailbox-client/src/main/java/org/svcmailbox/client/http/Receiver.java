package org.svcmailbox.client.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/** Asks for messages, once each time: a receive is not repeated, its caller receives again. */
final class Receiver {
  private static final String PATH = "/v1/recv";

  private final Transport transport;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;
  private final Duration callTimeout;

  Receiver(Transport transport, Lifecycle lifecycle, MailboxClock clock, Duration callTimeout) {
    this.transport = transport;
    this.lifecycle = lifecycle;
    this.clock = clock;
    this.callTimeout = callTimeout;
  }

  /**
   * Receives.
   *
   * @param visibility how long the leases last; null for the topic's own
   * @return null if no connection was free in time, or the mailbox closes
   * @throws RuntimeException why there is no answer but a problem
   */
  @Nullable Answer receive(
      String topic, int maxMessages, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    Reply reply;
    if (wait.isZero()) {
      byte[] body = Json.receive(topic, maxMessages, visibility, wait);
      reply = transport.call("POST", PATH, body, clock.deadline(callTimeout));
    } else {
      long end = clock.deadline(wait);
      reply =
          transport.poll(PATH, () -> Json.receive(topic, maxMessages, visibility, left(end)), end);
    }
    if (reply instanceof Answer answer) {
      if (answer.isOk()) {
        return answer;
      }
      throw Failure.of("call " + transport.target(PATH), answer.status(), answer.problem()).cause();
    }
    if (reply instanceof Failure failure && lifecycle.isOpen()) {
      throw failure.cause();
    }
    return null;
  }

  private Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - clock.nanoTime()));
  }
}
