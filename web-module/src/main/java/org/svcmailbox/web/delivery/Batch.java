package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.svcmailbox.web.delivery.BatchResponse.Failed;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.Funnel;
import org.svcmailbox.web.problem.ProblemBody;

/**
 * Service calls made for one request; each succeeds or fails independently.
 *
 * @param outcomes one completed future per element, in order
 */
record Batch<O>(List<CompletableFuture<O>> outcomes) {
  /**
   * Starts a call for each element; completes when all calls have.
   *
   * @param begin starts one call; an exception becomes that element's result
   */
  static <R, O> CompletionStage<Batch<O>> of(
      List<? extends R> elements, Function<R, CompletionStage<O>> begin) {
    List<CompletableFuture<O>> outcomes =
        elements.stream().<CompletableFuture<O>>map(element -> begun(element, begin)).toList();
    return CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
        .handle((all, failure) -> new Batch<>(outcomes));
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
   * Builds the answer. Call it on a request thread, because it logs.
   *
   * @param result converts one outcome to JSON, or to a {@link ProblemBody}
   */
  BatchResponse response(Function<O, Object> result, Call call) {
    return new BatchResponse(
        outcomes.stream().map(outcome -> element(outcome, result, call)).toList());
  }

  private static <O> Object element(
      CompletableFuture<O> outcome, Function<O, Object> result, Call call) {
    try {
      Object element = result.apply(outcome.join());
      return element instanceof ProblemBody problem
          ? Failed.of(Funnel.outcome(problem, call))
          : element;
    } catch (RuntimeException e) {
      return Failed.of(Funnel.thrown(e, call));
    }
  }
}
