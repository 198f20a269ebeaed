package org.svcmailbox.core.refusal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;

/**
 * Logs each failure once.
 *
 * <p>A client error is one line at INFO; denials and unknown paths are only sampled. A server error
 * is logged at ERROR with its stack trace. A refusal under load is one line at DEBUG, because
 * metrics count it and logging would add load. Any thread.
 */
public final class RefusalLog {
  private final Logger log;
  private final LogSample sample;

  /**
   * @param nanos a monotonic clock
   */
  public RefusalLog(Logger log, LongSupplier nanos) {
    this.log = log;
    this.sample = new LogSample(nanos);
  }

  /** Logs a refusal. */
  public void refused(ProblemReport problem, AnsweredCall call) {
    Level level = problem.code().retryable() ? Level.DEBUG : Level.INFO;
    if (!log.isLoggable(level)) {
      return;
    }
    if (level == Level.DEBUG || !isAnyones(problem, call)) {
      log.log(level, line(problem, call));
      return;
    }
    sample
        .take(call.address())
        .ifPresent(
            unlogged -> log.log(level, line(problem, call) + (unlogged > 0 ? more(unlogged) : "")));
  }

  /** Logs a failure of the service. */
  public void failed(ProblemReport problem, AnsweredCall call, Throwable thrown) {
    log.log(Level.ERROR, line(problem, call), LoggedStack.of(thrown));
  }

  /** Whether a caller without any right can cause this line. */
  private static boolean isAnyones(ProblemReport problem, AnsweredCall call) {
    return switch (problem.code()) {
      case E_CAP_AUTH, E_CAP_SCOPE -> true;
      default -> call.isAnyones();
    };
  }

  private static String more(long unlogged) {
    return "; before it, " + unlogged + " more were denied or had no such path";
  }

  private static String line(ProblemReport problem, AnsweredCall call) {
    StringBuilder line = new StringBuilder(call.line());
    line.append(' ').append(problem.code()).append(": ").append(problem.detail());
    problem.more().forEach((member, value) -> append(line, member, value));
    return LogText.of(line);
  }

  private static void append(StringBuilder line, String member, Object value) {
    if (member.endsWith("_id")
        || member.equals(ProblemReport.WHY)
        || member.equals(ProblemReport.REASON)) {
      line.append(", ").append(member).append('=').append(value);
    }
  }
}
