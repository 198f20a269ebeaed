package org.svcmailbox.web.problem;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.refusal.ProblemReport;

/**
 * A problem as clients see it (RFC 9457).
 *
 * @param code determines type and title
 * @param status the HTTP status
 * @param detail a sentence about this occurrence
 * @param more further members: {@code instance}, {@code retry_after_ms}, {@code reason}, {@code
 *     why}, {@code msg_id}, {@code corr_id}, {@code errors}, {@code left_ms}
 */
public record ProblemBody(Problem code, int status, String detail, Map<String, Object> more) {
  private static final String TYPE_PREFIX = "urn:svc-mailbox:problem:";

  public ProblemBody {
    more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
  }

  /** A problem with the default status of its code. */
  static ProblemBody of(Problem code, String detail) {
    return new ProblemBody(code, Statuses.of(code), detail, Map.of());
  }

  /** The report with the default status of its code. */
  static ProblemBody of(ProblemReport report) {
    return new ProblemBody(
        report.code(), Statuses.of(report.code()), report.detail(), report.more());
  }

  ProblemReport report() {
    return new ProblemReport(code, detail, more);
  }

  ProblemBody withStatus(int other) {
    return new ProblemBody(code, other, detail, more);
  }

  ProblemBody with(String member, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(more);
    all.put(member, value);
    return new ProblemBody(code, status, detail, all);
  }

  /** The members of the problem's JSON object. */
  public Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", TYPE_PREFIX + code.name());
    members.put("title", code.title());
    members.put("status", status);
    members.put("detail", detail);
    members.put("code", code.name());
    members.putAll(more);
    return members;
  }
}
