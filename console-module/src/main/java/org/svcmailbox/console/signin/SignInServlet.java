package org.svcmailbox.console.signin;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.Optional;
import org.svcmailbox.console.oidc.ProviderAccess;
import org.svcmailbox.console.oidc.ProviderSignIn;
import org.svcmailbox.console.page.HtmlResponses;
import org.svcmailbox.console.page.Target;
import org.svcmailbox.console.session.SessionService;
import org.svcmailbox.console.users.PasswordRules;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.MailboxException;

/** Signs users in: with a form, or by redirection to an OpenID Connect provider. */
@WebServlet(name = "signin", urlPatterns = "/signin")
public final class SignInServlet extends HttpServlet {
  private static final Logger LOG = System.getLogger(SignInServlet.class.getName());
  private static final int TOO_MANY_REQUESTS = 429;

  private static final long serialVersionUID = 1L;

  private static final String CREDENTIALS = "credentials";
  private static final String WRONG = "Wrong user name or password.";

  private final transient SessionService sessions;
  private final transient PasswordCheck passwords;
  private final transient Optional<ProviderSignIn> provider;

  @Inject
  public SignInServlet(SessionService sessions, PasswordCheck passwords, ProviderAccess provider) {
    this.sessions = sessions;
    this.passwords = passwords;
    this.provider = provider.signIn();
  }

  /** The submitted form. */
  private record Attempt(String user, String password, Target target) {
    /** Omits the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Target target = Target.of(request.getParameter("to"));
    boolean isConfirmation = provider.isPresent() && "1".equals(request.getParameter("confirm"));
    if (sessions.user(request).isPresent() && !isConfirmation) {
      HtmlResponses.redirect(response, target.location());
    } else if (provider.isPresent()) {
      provider.get().begin(request, response, target, isConfirmation);
    } else {
      HtmlResponses.write(response, HttpServletResponse.SC_OK, SignInPage.of("", target, ""));
    }
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Attempt attempt;
    try {
      Target target = Target.of(request.getParameter("to"));
      attempt = new Attempt(given(request, "user"), given(request, "password"), target);
    } catch (RuntimeException e) {
      // For a form that cannot be read, servers throw different exceptions.
      LOG.log(Level.DEBUG, "A sign-in form is malformed: {0}", e.toString());
      HtmlResponses.write(
          response,
          HttpServletResponse.SC_BAD_REQUEST,
          SignInPage.of("This form cannot be read.", Target.of(null), ""));
      return;
    }
    if (provider.isPresent() || !sessions.request(request).isSameOrigin()) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "This sign-in request was rejected.",
          attempt);
    } else if (!ConsoleUser.isName(attempt.user())
        || attempt.password().length() > PasswordRules.MAX_LENGTH) {
      sessions.signInFailed("", request, CREDENTIALS);
      refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
    } else {
      attempt(attempt, request, response);
    }
  }

  private void attempt(Attempt attempt, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    InetAddress address = sessions.request(request).address();
    long changes = sessions.passwordChanges(attempt.user());
    PasswordCheck.Verdict verdict = passwords.check(address, attempt.user(), attempt.password());
    if (verdict instanceof PasswordCheck.Right right) {
      admit(attempt, ConsoleRole.widest(right.groups()), changes, request, response);
    } else if (verdict instanceof PasswordCheck.TooMany many) {
      sessions.signInFailed(attempt.user(), request, "throttled");
      response.setHeader("Retry-After", Long.toString(many.seconds()));
      String error = "Too many attempts. Try again in %d s.".formatted(many.seconds());
      refuse(response, TOO_MANY_REQUESTS, error, attempt);
    } else if (verdict instanceof PasswordCheck.Busy) {
      String error = "Too many concurrent sign-ins. Try again.";
      refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, error, attempt);
    } else {
      sessions.signInFailed(attempt.user(), request, CREDENTIALS);
      // Without the user's name, which only operators see, because people type passwords into that
      // field.
      LOG.log(Level.INFO, "Console sign-in from {0} failed", address);
      refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
    }
  }

  private void admit(
      Attempt attempt,
      Optional<ConsoleRole> role,
      long changes,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (role.isEmpty()) {
      sessions.signInFailed(attempt.user(), request, "no_role");
      String error = "This user has no role of the console.";
      refuse(response, HttpServletResponse.SC_FORBIDDEN, error, attempt);
      return;
    }
    try {
      ConsoleUser user = new ConsoleUser(attempt.user(), role.get());
      if (sessions.signIn(user, changes, request, response)) {
        HtmlResponses.redirect(response, attempt.target().location());
      } else {
        refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
      }
    } catch (MailboxException e) {
      LOG.log(Level.ERROR, "Console sign-in failed", e);
      String error = "The service is unavailable. See the server log.";
      refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, error, attempt);
    }
  }

  private static void refuse(
      HttpServletResponse response, int status, String error, Attempt attempt) throws IOException {
    HtmlResponses.write(response, status, SignInPage.of(error, attempt.target(), attempt.user()));
  }

  private static String given(HttpServletRequest request, String field) {
    String value = request.getParameter(field);
    return value == null ? "" : value;
  }
}
