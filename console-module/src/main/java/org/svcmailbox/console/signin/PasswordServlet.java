package org.svcmailbox.console.signin;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.console.session.JsonResponses;
import org.svcmailbox.console.session.ScriptServlet;
import org.svcmailbox.console.session.SessionService;
import org.svcmailbox.console.users.PasswordChanges;
import org.svcmailbox.console.users.PasswordRules;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;

/**
 * Changes the user's own password: form fields {@code current} and {@code next}. The user's
 * sessions end; the browser gets a new one.
 */
@WebServlet(name = "password", urlPatterns = "/session/password")
public final class PasswordServlet extends ScriptServlet {
  private static final Logger LOG = System.getLogger(PasswordServlet.class.getName());
  private static final long serialVersionUID = 1L;

  private static final String ELSEWHERE =
      "This server does not keep your password. Change it where your user account is managed.";

  private static final String BUSY =
      "Another password is being changed. Try again; if this lasts, see the server log.";

  private static final String READ_ONLY =
      "The server cannot write its file of passwords, so yours is unchanged. Ask its administrator,"
          + " who finds the reason in the server log.";

  private final transient SessionService sessions;
  private final transient PasswordCheck check;
  private final transient PasswordChanges changes;

  @Inject
  public PasswordServlet(SessionService sessions, PasswordCheck check, PasswordChanges changes) {
    this.sessions = sessions;
    this.check = check;
    this.changes = changes;
  }

  /** The submitted passwords. */
  private record Form(String current, String next) {
    /** Omits the passwords. */
    @Override
    public String toString() {
      return "passwords";
    }
  }

  @Override
  protected void serve(HttpServletRequest request, HttpServletResponse response) {
    sessions
        .caller(request, true)
        .ifPresentOrElse(
            user -> serve(user.name(), request, response), () -> JsonResponses.noSession(response));
  }

  private void serve(String user, HttpServletRequest request, HttpServletResponse response) {
    Optional<Form> form = form(request);
    if (!changes.isOffered(user)) {
      JsonResponses.problem(response, HttpServletResponse.SC_CONFLICT, ELSEWHERE);
    } else if (form.isEmpty()) {
      JsonResponses.problem(
          response, HttpServletResponse.SC_BAD_REQUEST, "fields current and next are required");
    } else {
      PasswordRules.objection(form.get().current(), form.get().next())
          .ifPresentOrElse(
              why -> JsonResponses.problem(response, HttpServletResponse.SC_BAD_REQUEST, why),
              () -> change(user, form.get(), request, response));
    }
  }

  private void change(
      String user, Form form, HttpServletRequest request, HttpServletResponse response) {
    PasswordCheck.Verdict verdict =
        check.check(sessions.request(request).address(), user, form.current());
    if (verdict instanceof PasswordCheck.Right right) {
      ConsoleRole.widest(right.groups())
          .ifPresentOrElse(
              role -> change(new ConsoleUser(user, role), form, request, response),
              () ->
                  JsonResponses.problem(
                      response,
                      HttpServletResponse.SC_FORBIDDEN,
                      "You have no role of the console any more."));
    } else {
      new PasswordRefusal(sessions, user, request)
          .answer(verdict, "password_change", "The current password is wrong.", response);
    }
  }

  private void change(
      ConsoleUser user, Form form, HttpServletRequest request, HttpServletResponse response) {
    Runnable audit = () -> sessions.notePasswordChange(user, request);
    switch (changes.change(user.name(), form.current(), form.next(), audit)) {
      case CHANGED -> {
        sessions.passwordChanged(user, request, response);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      }
      case ELSEWHERE -> JsonResponses.problem(response, HttpServletResponse.SC_CONFLICT, ELSEWHERE);
      case BUSY ->
          JsonResponses.problem(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, BUSY);
      case READ_ONLY ->
          JsonResponses.problem(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, READ_ONLY);
    }
  }

  /** Empty for a form that cannot be read, for which servers throw different exceptions. */
  private static Optional<Form> form(HttpServletRequest request) {
    try {
      @Nullable String current = request.getParameter("current");
      @Nullable String next = request.getParameter("next");
      return current == null || next == null
          ? Optional.empty()
          : Optional.of(new Form(current, next));
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, "A form is malformed: {0}", e.toString());
      return Optional.empty();
    }
  }
}
