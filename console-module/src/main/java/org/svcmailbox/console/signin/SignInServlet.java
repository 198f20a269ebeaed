package org.svcmailbox.console.signin;

import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.Password;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.security.enterprise.identitystore.CredentialValidationResult.Status;
import jakarta.security.enterprise.identitystore.IdentityStoreHandler;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.svcmailbox.console.oidc.ProviderAccess;
import org.svcmailbox.console.oidc.ProviderSignIn;
import org.svcmailbox.console.page.HtmlResponses;
import org.svcmailbox.console.page.Target;
import org.svcmailbox.console.session.SessionService;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.MailboxException;

/** Signs users in: with a form, or by redirection to an OpenID Connect provider. */
@WebServlet(name = "signin", urlPatterns = "/signin")
public final class SignInServlet extends HttpServlet {
  private static final Logger LOG = System.getLogger(SignInServlet.class.getName());
  private static final int MAX_PASSWORD = 1_000;
  private static final int TOO_MANY_REQUESTS = 429;

  /** Concurrent lookups of users; a directory server may be slow. */
  private static final int MAX_LOOKUPS = 8;

  private static final long serialVersionUID = 1L;

  private static final String CREDENTIALS = "credentials";
  private static final String WRONG = "Wrong user name or password.";

  private final transient SessionService sessions;
  private final transient IdentityStoreHandler users;
  private final transient Optional<ProviderSignIn> provider;
  private final transient SignInThrottle throttle = new SignInThrottle(System::nanoTime);
  private final transient Semaphore lookups = new Semaphore(MAX_LOOKUPS);

  /** Called by the container. */
  @Inject
  public SignInServlet(
      SessionService sessions, IdentityStoreHandler users, ProviderAccess provider) {
    this.sessions = sessions;
    this.users = users;
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
    if (sessions.user(request).isPresent()) {
      HtmlResponses.redirect(response, target.location());
    } else if (provider.isPresent()) {
      provider.get().begin(request, response, target);
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
      // Servers differ in what they throw for a form that they cannot read.
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
    } else if (!ConsoleUser.isName(attempt.user()) || attempt.password().length() > MAX_PASSWORD) {
      sessions.signInFailed("", request, CREDENTIALS);
      refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
    } else {
      attempt(attempt, request, response);
    }
  }

  private void attempt(Attempt attempt, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    InetAddress address = sessions.request(request).address();
    Optional<Duration> wait = throttle.begin(address, attempt.user());
    if (wait.isPresent()) {
      sessions.signInFailed(attempt.user(), request, "throttled");
      long seconds = wait.get().plusMillis(999).toSeconds();
      response.setHeader("Retry-After", Long.toString(seconds));
      String error = "Too many attempts. Try again in %d s.".formatted(seconds);
      refuse(response, TOO_MANY_REQUESTS, error, attempt);
    } else if (!lookups.tryAcquire()) {
      String error = "Too many concurrent sign-ins. Try again.";
      refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, error, attempt);
    } else {
      CredentialValidationResult result = lookUp(attempt);
      if (result.getStatus() == Status.VALID) {
        throttle.succeeded(address, attempt.user());
        admit(attempt, ConsoleRole.widest(result.getCallerGroups()), request, response);
      } else {
        sessions.signInFailed(attempt.user(), request, CREDENTIALS);
        // Without the name, which only operators see: people type passwords into that field.
        LOG.log(Level.INFO, "Console sign-in from {0} failed", address);
        refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
      }
    }
  }

  /** Validates the credentials and returns the caller's permit. */
  private CredentialValidationResult lookUp(Attempt attempt) {
    try {
      return users.validate(
          new UsernamePasswordCredential(attempt.user(), new Password(attempt.password())));
    } finally {
      lookups.release();
    }
  }

  private void admit(
      Attempt attempt,
      Optional<ConsoleRole> role,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    if (role.isEmpty()) {
      sessions.signInFailed(attempt.user(), request, "no_role");
      String error = "This user has neither the viewer nor the operator role.";
      refuse(response, HttpServletResponse.SC_FORBIDDEN, error, attempt);
      return;
    }
    try {
      sessions.signIn(new ConsoleUser(attempt.user(), role.get()), "form", request, response);
      HtmlResponses.redirect(response, attempt.target().location());
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
