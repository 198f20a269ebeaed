package org.svcmailbox.grpc.refusal;

import org.svcmailbox.core.refusal.ProblemReport;

/** An expected outcome that is not a success. It has no stack trace. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ProblemReport report;

  public RefusedException(ProblemReport report) {
    super(report.detail(), null, false, false);
    this.report = report;
  }

  ProblemReport report() {
    return report;
  }
}
