package org.svcmailbox.web.problem;

import jakarta.ejb.EJBException;
import jakarta.ws.rs.WebApplicationException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.web.trace.LogText;
import org.svcmailbox.web.trace.LoggedStack;

/**
 * Logs and counts every failure once, and turns it into a problem.
 *
 * <p>A client error is one line at INFO; denials and unknown paths are only sampled. A server error
 * is logged at ERROR with stack and correlation id; the client sees only the id. A refusal under
 * load (429, 503) is one line at DEBUG, because metrics count it and logging would add load.
 */
public final class Funnel {
  private static final Logger LOG = System.getLogger(Funnel.class.getName());
  private static final String CALLS = "/v1/";
  private static final LogSample SAMPLE = new LogSample(System::nanoTime);
  private static final int FIRST_SERVER_ERROR = 500;

  /** Static is safe: each deployment loads its own classes. */
  private static final RefusalCounts REFUSALS = new RefusalCounts();

  private Funnel() {}

  public static MetricSource refusals() {
    return REFUSALS;
  }

  /** Converts an exception to a problem; logs and counts it. */
  public static ProblemBody thrown(Throwable thrown, Call call) {
    Throwable cause = unwrapped(thrown);
    if (cause instanceof MailboxException mailbox) {
      ProblemBody problem = Problems.of(mailbox);
      return isServerError(problem) ? failed(problem, mailbox, call) : outcome(problem, call);
    }
    if (cause instanceof WebApplicationException refused) {
      ProblemBody problem = Problems.of(refused);
      return isServerError(problem) ? failed(problem, refused, call) : outcome(problem, call);
    }
    return failed(ProblemBody.of(Problem.E_INTERNAL, Problem.E_INTERNAL.title()), cause, call);
  }

  /** Logs and counts a problem, and returns it. */
  public static ProblemBody outcome(ProblemBody problem, Call call) {
    REFUSALS.count(problem, call);
    Level level = problem.code().retryable() ? Level.DEBUG : Level.INFO;
    if (LOG.isLoggable(level)) {
      log(level, problem, call);
    }
    return problem;
  }

  private static void log(Level level, ProblemBody problem, Call call) {
    if (level == Level.DEBUG || !isAnyones(problem, call)) {
      LOG.log(level, line(problem, call));
      return;
    }
    SAMPLE
        .take(call.address())
        .ifPresent(
            unlogged -> LOG.log(level, line(problem, call) + (unlogged > 0 ? more(unlogged) : "")));
  }

  /** Whether a caller without any right can have this line written. */
  private static boolean isAnyones(ProblemBody problem, Call call) {
    return switch (problem.code()) {
      case E_CAP_AUTH, E_CAP_SCOPE -> true;
      default -> !call.path().startsWith(CALLS);
    };
  }

  private static String more(long unlogged) {
    return "; before it, " + unlogged + " more were denied or had no such path";
  }

  private static ProblemBody failed(ProblemBody problem, Throwable thrown, Call call) {
    REFUSALS.count(problem, call);
    String corrId = call.correlation().id().value();
    ProblemBody visible =
        problem.code() == Problem.E_INTERNAL ? Problems.internal(corrId) : problem;
    ProblemBody traceable = visible.with("corr_id", corrId);
    LOG.log(Level.ERROR, line(traceable, call), LoggedStack.of(thrown));
    return traceable;
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

  private static String line(ProblemBody problem, Call call) {
    StringBuilder line = new StringBuilder();
    line.append(call.method()).append(' ').append(call.path());
    line.append(" answered ").append(problem.status()).append(' ').append(problem.code());
    line.append(": ").append(problem.detail());
    problem.more().forEach((member, value) -> append(line, member, value));
    return LogText.of(line);
  }

  private static void append(StringBuilder line, String member, Object value) {
    if (member.endsWith("_id") || member.equals("why") || member.equals(ProblemBody.REASON)) {
      line.append(", ").append(member).append('=').append(value);
    }
  }
}
