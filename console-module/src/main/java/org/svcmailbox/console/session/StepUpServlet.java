package org.svcmailbox.console.session;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.SaturatedException;

/**
 * A call that gives an administrator more than the role: its user must have been proven a short
 * while ago, and a session makes few of them.
 */
abstract class StepUpServlet<T> extends ScriptServlet {
  /** The bound of a session's calls. */
  static final String BOUND = "console_elevations";

  private static final long serialVersionUID = 1L;

  protected final transient SessionService sessions;

  StepUpServlet(SessionService sessions) {
    this.sessions = sessions;
  }

  /** Reads the request, before anything is counted. */
  abstract T read(HttpServletRequest request);

  /** Does what was asked for; empty if the session has ended meanwhile. */
  abstract Optional<Map<String, Object>> grant(
      ConsoleUser user, T what, HttpServletRequest request);

  @Override
  protected final void serve(HttpServletRequest request, HttpServletResponse response) {
    Optional<ConsoleUser> user = sessions.caller(request, true);
    if (user.isEmpty()) {
      JsonResponses.noSession(response);
    } else if (!user.get().role().mayElevate()) {
      JsonResponses.problem(
          response, HttpServletResponse.SC_FORBIDDEN, "only administrators may do this", "role");
    } else {
      serve(user.get(), read(request), request, response);
    }
  }

  private void serve(
      ConsoleUser user, T what, HttpServletRequest request, HttpServletResponse response) {
    Optional<StepUp.Verdict> verdict = sessions.stepUp(request);
    if (verdict.isPresent() && verdict.get() instanceof StepUp.Unconfirmed) {
      JsonResponses.problem(
          response,
          HttpServletResponse.SC_UNAUTHORIZED,
          "your sign-in is too long ago; confirm that it is you",
          "confirm");
    } else if (verdict.isPresent() && verdict.get() instanceof StepUp.TooMany many) {
      throw new SaturatedException(
          BOUND, "a session makes %d such calls a minute".formatted(StepUp.MOST), many.delay());
    } else {
      verdict
          .flatMap(granted -> grant(user, what, request))
          .ifPresentOrElse(
              members -> JsonResponses.json(response, members),
              () -> JsonResponses.noSession(response));
    }
  }
}
