package org.svcmailbox.core.request;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Service calls made for one request; each succeeds or fails independently.
 *
 * @param outcomes one completed future per element, in order
 */
public record CallBatch<O>(List<CompletableFuture<O>> outcomes) {
  /**
   * Starts a call for each element; completes when all calls have completed.
   *
   * @param begin starts one call; an exception becomes that element's result
   */
  public static <R, O> CompletionStage<CallBatch<O>> of(
      List<? extends R> elements, Function<R, CompletionStage<O>> begin) {
    List<CompletableFuture<O>> outcomes =
        elements.stream().<CompletableFuture<O>>map(element -> begun(element, begin)).toList();
    return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
        .handle((all, failure) -> new CallBatch<>(outcomes));
  }

  private static <R, O> CompletableFuture<O> begun(
      R element, Function<R, CompletionStage<O>> begin) {
    try {
      return begin.apply(element).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * The results, in order.
   *
   * @param result converts an outcome
   * @param failure converts the exception of a call or of {@code result}
   */
  public <T> List<T> results(Function<O, T> result, Function<RuntimeException, T> failure) {
    return outcomes.stream().map(outcome -> result(outcome, result, failure)).toList();
  }

  private static <O, T> T result(
      CompletableFuture<O> outcome, Function<O, T> result, Function<RuntimeException, T> failure) {
    try {
      return result.apply(outcome.join());
    } catch (RuntimeException e) {
      return failure.apply(e);
    }
  }
}
