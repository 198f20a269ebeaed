package org.svcmailbox.client.loop;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.SerializationException;

/** A handler of requests, with their deadlines and results. */
record RequestWork<T, R>(RequestHandler<T, R> handler, MailboxClock clock, String sessionId)
    implements Work<MainLoopRequest<T>, MainLoopResult<R>> {

  @Override
  public MainLoopResult<R> run(Message<MainLoopRequest<T>, MainLoopResult<R>> message)
      throws Exception {
    MainLoopRequest<T> request = message.body();
    return result(request.requestId(), handler.handle(request), null);
  }

  @Override
  public @Nullable TimeLimit limit(Message<MainLoopRequest<T>, MainLoopResult<R>> message) {
    Duration budget = message.body().budget();
    Instant deadline = message.body().deadline();
    Duration left = deadline == null ? null : Duration.between(clock.now(), deadline);
    if (budget != null && (left == null || budget.compareTo(left) < 0)) {
      return new TimeLimit(budget, "the budget of " + budget + " is spent");
    }
    return left == null ? null : new TimeLimit(left, "the deadline " + deadline + " has passed");
  }

  @Override
  public MainLoopResult<R> failure(
      Message<MainLoopRequest<T>, MainLoopResult<R>> message, String error) {
    return result(requestId(message), null, error);
  }

  private MainLoopResult<R> result(String id, @Nullable R output, @Nullable String error) {
    return new MainLoopResult<>(id, output, error, sessionId, clock.now());
  }

  private static String requestId(Message<? extends MainLoopRequest<?>, ?> message) {
    try {
      return message.body().requestId();
    } catch (SerializationException undecodable) {
      return message.correlationId().orElse(message.id());
    }
  }
}
