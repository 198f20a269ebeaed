package org.svcmailbox.console.signin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.console.session.JsonResponses;
import org.svcmailbox.console.session.SessionService;

/** Answers a script whose signed-in user gave a password that does not count. */
record PasswordRefusal(SessionService sessions, String user, HttpServletRequest request) {
  private static final Logger LOG = System.getLogger(PasswordRefusal.class.getName());
  private static final int TOO_MANY_REQUESTS = 429;

  /**
   * Answers.
   *
   * @param why the word for a wrong password in the audit
   * @param wrong what the user reads about a wrong password
   */
  void answer(
      PasswordCheck.Verdict verdict, String why, String wrong, HttpServletResponse response) {
    if (verdict instanceof PasswordCheck.TooMany many) {
      sessions.signInFailed(user, request, "throttled");
      response.setHeader("Retry-After", Long.toString(many.seconds()));
      JsonResponses.problem(
          response,
          TOO_MANY_REQUESTS,
          "Too many attempts with a wrong password.",
          "console_sign_in_rate");
    } else if (verdict instanceof PasswordCheck.Busy) {
      JsonResponses.problem(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "Too many concurrent sign-ins. Try again.");
    } else {
      sessions.signInFailed(user, request, why);
      LOG.log(Level.INFO, "{0} gave a wrong password in the console: {1}", user, why);
      JsonResponses.problem(response, HttpServletResponse.SC_FORBIDDEN, wrong, "password");
    }
  }
}
