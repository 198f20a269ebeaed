package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.codec.Codecs;

/**
 * A request to a {@link MainLoop}.
 *
 * @param request the request itself
 * @param budget how long one attempt may take, or null for as long as the loop allows
 * @param deadline when the answer becomes useless, or null for never
 * @param requestId the id that matches the result to the request
 * @param createdAt when the request was made, by the requester's clock
 * @param <T> the type of the request
 */
public record MainLoopRequest<T>(
    T request,
    @Nullable Duration budget,
    @Nullable Instant deadline,
    String requestId,
    Instant createdAt) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the budget is not positive
   */
  public MainLoopRequest {
    requireNonNull(request, "request");
    requireNonNull(requestId, "requestId");
    requireNonNull(createdAt, "createdAt");
    if (budget != null && (budget.isNegative() || budget.isZero())) {
      throw new IllegalArgumentException("budget must be positive, not " + budget);
    }
  }

  /** A request created now, with a random id and without budget and deadline. */
  public MainLoopRequest(T request) {
    this(request, null, null, UUID.randomUUID().toString(), Instant.now());
  }

  /** A copy with a budget. */
  public MainLoopRequest<T> withBudget(Duration value) {
    return new MainLoopRequest<>(request, value, deadline, requestId, createdAt);
  }

  /** A copy with a deadline. */
  public MainLoopRequest<T> withDeadline(Instant value) {
    return new MainLoopRequest<>(request, budget, value, requestId, createdAt);
  }

  /**
   * JSON of requests.
   *
   * @param type the type of {@link #request()}
   */
  public static <T> Codec<MainLoopRequest<T>> json(Class<T> type) {
    return json((Type) type);
  }

  /**
   * JSON of requests.
   *
   * @param type the type of {@link #request()}; must describe {@code T}
   */
  public static <T> Codec<MainLoopRequest<T>> json(Type type) {
    return Codecs.json(new ParameterizedBody(MainLoopRequest.class, type));
  }
}
