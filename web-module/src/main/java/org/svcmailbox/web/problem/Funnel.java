package org.svcmailbox.web.problem;

import jakarta.ejb.EJBException;
import jakarta.ws.rs.WebApplicationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.ReasonedOutage;
import org.svcmailbox.core.refusal.AnsweredCall;
import org.svcmailbox.core.refusal.ProblemReport;
import org.svcmailbox.core.refusal.ProblemReports;
import org.svcmailbox.core.refusal.RefusalCounts;
import org.svcmailbox.core.refusal.RefusalLog;

/**
 * Logs and counts every failure once, and turns it into a problem. For a server error the client
 * sees only the correlation id, which finds the failure in the log.
 */
public final class Funnel {
  private static final String CALLS = "/v1/";
  private static final RefusalLog LINES =
      new RefusalLog(System.getLogger(Funnel.class.getName()), System::nanoTime);
  private static final int FIRST_SERVER_ERROR = 500;

  /** Static is safe: each deployment loads its own classes. */
  private static final RefusalCounts REFUSALS = new RefusalCounts(Endpoints.NAMED);

  private Funnel() {}

  public static MetricSource refusals() {
    return REFUSALS;
  }

  /** Converts an exception to a problem; logs and counts it. */
  public static ProblemBody thrown(Throwable thrown, Call call) {
    Throwable cause = unwrapped(thrown);
    if (cause instanceof MailboxException mailbox) {
      ProblemBody problem = Problems.of(mailbox);
      boolean isFailure = isServerError(problem) && !(mailbox instanceof ReasonedOutage);
      return isFailure ? failed(problem, mailbox, call) : outcome(problem, call);
    }
    if (cause instanceof WebApplicationException refused) {
      ProblemBody problem = Problems.of(refused);
      return isServerError(problem) ? failed(problem, refused, call) : outcome(problem, call);
    }
    return failed(ProblemBody.of(Problem.E_INTERNAL, Problem.E_INTERNAL.title()), cause, call);
  }

  /** Logs and counts a problem, and returns it. */
  public static ProblemBody outcome(ProblemBody problem, Call call) {
    ProblemReport report = problem.report();
    REFUSALS.count(report, Endpoints.of(call.path()));
    LINES.refused(report, new Answered(call, problem.status()));
    return problem;
  }

  private static ProblemBody failed(ProblemBody problem, Throwable thrown, Call call) {
    REFUSALS.count(problem.report(), Endpoints.of(call.path()));
    String corrId = call.correlation().id().value();
    ProblemBody visible =
        problem.code() == Problem.E_INTERNAL
            ? ProblemBody.of(ProblemReports.internal(corrId))
            : problem;
    ProblemBody traceable = visible.with(ProblemReport.CORR_ID, corrId);
    LINES.failed(traceable.report(), new Answered(call, traceable.status()), thrown);
    return traceable;
  }

  private record Answered(Call call, int status) implements AnsweredCall {
    @Override
    public String line() {
      return call.method() + ' ' + call.path() + " answered " + status;
    }

    @Override
    public String address() {
      return call.address();
    }

    @Override
    public boolean isAnyones() {
      return !call.path().startsWith(CALLS);
    }
  }

  private static boolean isServerError(ProblemBody problem) {
    return problem.status() >= FIRST_SERVER_ERROR;
  }

  private static Throwable unwrapped(Throwable thrown) {
    Throwable current = thrown;
    while (isWrapper(current) && current.getCause() != null) {
      current = current.getCause();
    }
    return current;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof EJBException
        || thrown instanceof CompletionException
        || thrown instanceof ExecutionException;
  }
}
