package org.svcmailbox.console.signin;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.console.session.JsonBody;
import org.svcmailbox.console.session.JsonResponses;
import org.svcmailbox.console.session.ScriptServlet;
import org.svcmailbox.console.session.SessionService;
import org.svcmailbox.console.users.PasswordRules;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Confirms by the {@code password} that the session's user sits at the browser. It counts in the
 * throttle of sign-ins. A provider's users confirm there.
 */
@WebServlet(name = "confirm", urlPatterns = "/session/confirm")
public final class ConfirmServlet extends ScriptServlet {
  private static final String PASSWORD = "password";
  private static final long serialVersionUID = 1L;

  private final transient SessionService sessions;
  private final transient PasswordCheck check;

  @Inject
  public ConfirmServlet(SessionService sessions, PasswordCheck check) {
    this.sessions = sessions;
    this.check = check;
  }

  @Override
  protected void serve(HttpServletRequest request, HttpServletResponse response) {
    Optional<ConsoleUser> user = sessions.caller(request, true);
    if (user.isEmpty()) {
      JsonResponses.noSession(response);
    } else if (sessions.hasProvider()) {
      JsonResponses.problem(
          response,
          HttpServletResponse.SC_CONFLICT,
          "You sign in with a provider: confirm at /console/signin?confirm=1.",
          "provider");
    } else {
      confirm(user.get(), password(request), request, response);
    }
  }

  private static String password(HttpServletRequest request) {
    @Nullable String password = JsonBody.read(request, Set.of(PASSWORD), Set.of()).text(PASSWORD);
    if (password == null || password.isEmpty() || password.length() > PasswordRules.MAX_LENGTH) {
      throw new SchemaException(
          PASSWORD, "must be 1 to %d characters".formatted(PasswordRules.MAX_LENGTH));
    }
    return password;
  }

  private void confirm(
      ConsoleUser user, String password, HttpServletRequest request, HttpServletResponse response) {
    PasswordCheck.Verdict verdict =
        check.check(sessions.request(request).address(), user.name(), password);
    if (!(verdict instanceof PasswordCheck.Right right)) {
      new PasswordRefusal(sessions, user.name(), request)
          .answer(verdict, "confirm", "The password is wrong.", response);
    } else if (!ConsoleRole.widest(right.groups()).equals(Optional.of(user.role()))) {
      JsonResponses.problem(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "Your role has changed. Sign out, and sign in again.",
          "role");
    } else if (sessions.confirmed(user, request)) {
      response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    } else {
      JsonResponses.noSession(response);
    }
  }
}
