package org.svcmailbox.client.loop;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Type;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.codec.Codecs;

/**
 * The answer to a {@link MainLoopRequest}: an output, or an error.
 *
 * @param requestId the request's id; if the request could not be decoded, its message's correlation
 *     id, or the message's id if it has none
 * @param output the handler's return value; null after an error
 * @param error the reason why there is no output; null if the handler returned
 * @param sessionId the random id of the loop that answered
 * @param completedAt when the loop made the result, by its clock
 * @param <R> the output
 */
public record MainLoopResult<R>(
    String requestId,
    @Nullable R output,
    @Nullable String error,
    String sessionId,
    Instant completedAt) {

  /** Checks that the required values are present. */
  public MainLoopResult {
    requireNonNull(requestId, "requestId");
    requireNonNull(sessionId, "sessionId");
    requireNonNull(completedAt, "completedAt");
  }

  /**
   * JSON of results.
   *
   * @param type the type of {@link #output()}
   */
  public static <R> Codec<MainLoopResult<R>> json(Class<R> type) {
    return json((Type) type);
  }

  /**
   * JSON of results.
   *
   * @param type the type of {@link #output()}; must describe {@code R}
   */
  public static <R> Codec<MainLoopResult<R>> json(Type type) {
    return Codecs.json(new ParameterizedBody(MainLoopResult.class, type));
  }
}
