package org.svcmailbox.client.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.service.Failure;
import org.svcmailbox.client.service.Lifecycle;
import org.svcmailbox.client.service.Polls;

/** Asks for messages, once each time: a receive is not repeated, its caller receives again. */
final class HttpReceiver {
  private static final String PATH = "/v1/recv";

  private final Transport transport;
  private final Polls polls;
  private final Lifecycle lifecycle;
  private final MailboxClock clock;
  private final Duration callTimeout;

  HttpReceiver(
      Transport transport,
      Polls polls,
      Lifecycle lifecycle,
      MailboxClock clock,
      Duration callTimeout) {
    this.transport = transport;
    this.polls = polls;
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
  @Nullable HttpAnswer receive(
      String topic, int maxMessages, @Nullable Duration visibility, Duration wait)
      throws InterruptedException {
    HttpOutcome reply =
        wait.isZero()
            ? transport.call(
                "POST",
                PATH,
                HttpJson.receive(topic, maxMessages, visibility, wait),
                Map.of(),
                clock.deadline(callTimeout))
            : polls.poll(
                wait,
                turn ->
                    transport.poll(
                        PATH, HttpJson.receive(topic, maxMessages, visibility, turn), turn),
                HttpReceiver::isEmpty);
    if (reply instanceof HttpAnswer answer) {
      if (answer.isOk()) {
        return answer;
      }
      throw Failure.of("call " + transport.target(PATH), answer.status(), answer.problem()).cause();
    }
    if (reply instanceof HttpOutcome.None none && lifecycle.isOpen()) {
      throw none.failure().cause();
    }
    return null;
  }

  private static boolean isEmpty(HttpOutcome reply) {
    try {
      return reply instanceof HttpAnswer answer
          && answer.isOk()
          && answer.json().path("messages").isEmpty()
          && answer.json().path("messages").isArray();
    } catch (IOException e) {
      return false;
    }
  }
}
