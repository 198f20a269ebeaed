package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.Map;
import org.svcmailbox.web.problem.ProblemBody;

/**
 * The answer to a batch.
 *
 * @param results one per element, in order: the answer of a single call, or a {@link Failed}
 */
record BatchResponse(List<Object> results) {
  /**
   * A refused element.
   *
   * @param error the members of its problem
   */
  record Failed(Map<String, Object> error) {
    static Failed of(ProblemBody problem) {
      return new Failed(problem.members());
    }
  }
}
