package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.Map;
import org.svcmailbox.web.problem.ProblemBody;

/**
 * The answer to a batch.
 *
 * @param results one for each element, in their order: what the call for one would have answered,
 *     or a {@link Failed}
 */
record BatchResponse(List<Object> results) {
  /**
   * An element that was refused.
   *
   * @param error its problem's members
   */
  record Failed(Map<String, Object> error) {
    static Failed of(ProblemBody problem) {
      return new Failed(problem.members());
    }
  }
}
