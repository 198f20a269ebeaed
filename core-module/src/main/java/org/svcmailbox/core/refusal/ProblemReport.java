package org.svcmailbox.core.refusal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.svcmailbox.core.problem.Problem;

/**
 * A problem in the form that clients see, without a protocol's status.
 *
 * @param code determines the title
 * @param detail a sentence about this occurrence
 * @param more further members: {@code retry_after_ms}, {@code reason}, {@code why}, {@code msg_id},
 *     {@code corr_id}, {@code errors}, {@code left_ms}
 */
public record ProblemReport(Problem code, String detail, Map<String, Object> more) {
  public static final String RETRY_AFTER_MS = "retry_after_ms";
  public static final String REASON = "reason";
  public static final String WHY = "why";
  public static final String MSG_ID = "msg_id";
  public static final String CORR_ID = "corr_id";

  /** A list of {@code FieldViolation}. */
  public static final String ERRORS = "errors";

  public static final String LEFT_MS = "left_ms";

  public ProblemReport {
    more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  public static ProblemReport of(Problem code, String detail) {
    return new ProblemReport(code, detail, Map.of());
  }

  public ProblemReport with(String member, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(more);
    all.put(member, value);
    return new ProblemReport(code, detail, all);
  }
}
