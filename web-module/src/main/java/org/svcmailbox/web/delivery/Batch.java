package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.svcmailbox.web.delivery.BatchResponse.Failed;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.Funnel;
import org.svcmailbox.web.problem.ProblemBody;

/** Many calls of the service made for one request; each succeeds or fails for itself. */
final class Batch {
  private Batch() {}

  /**
   * Makes a call for each element and gathers what becomes of them.
   *
   * @param begin begins one call; what it throws is that element's result
   * @param result one outcome as JSON, a {@link ProblemBody} where it is a problem
   */
  static <R, O> CompletionStage<BatchResponse> of(
      List<R> elements,
      Function<R, CompletionStage<O>> begin,
      Function<O, Object> result,
      Call call) {
    List<CompletableFuture<Object>> results =
        elements.stream().map(element -> one(element, begin, result, call)).toList();
    return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> new BatchResponse(results.stream().map(CompletableFuture::join).toList()));
  }

  private static <R, O> CompletableFuture<Object> one(
      R element, Function<R, CompletionStage<O>> begin, Function<O, Object> result, Call call) {
    CompletionStage<O> outcome;
    try {
      outcome = begin.apply(element);
    } catch (RuntimeException e) {
      outcome = CompletableFuture.failedStage(e);
    }
    return outcome
        .thenApply(value -> element(result.apply(value), call))
        .exceptionally(thrown -> Failed.of(Funnel.thrown(thrown, call)))
        .toCompletableFuture();
  }

  private static Object element(Object result, Call call) {
    return result instanceof ProblemBody problem
        ? Failed.of(Funnel.outcome(problem, call))
        : result;
  }
}
