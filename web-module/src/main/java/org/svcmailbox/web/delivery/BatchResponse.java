package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.web.problem.Call;
import org.svcmailbox.web.problem.Funnel;
import org.svcmailbox.web.problem.ProblemBody;

/**
 * The answer to a batch.
 *
 * @param results one per element, in order: the answer of a single call, or a {@link Failed}
 */
record BatchResponse(List<Object> results) {
  /**
   * Builds the answer. Call it on a request thread, because it logs.
   *
   * @param result converts one outcome to JSON, or to a {@link ProblemBody}
   */
  static <O> BatchResponse of(CallBatch<O> batch, Function<O, Object> result, Call call) {
    return new BatchResponse(
        batch.results(
            outcome -> element(result.apply(outcome), call),
            failure -> Failed.of(Funnel.thrown(failure, call))));
  }

  private static Object element(Object result, Call call) {
    return result instanceof ProblemBody problem
        ? Failed.of(Funnel.outcome(problem, call))
        : result;
  }

  /** An element that was refused. */
  record Failed(Map<String, Object> error) {
    static Failed of(ProblemBody problem) {
      return new Failed(problem.members());
    }
  }
}
