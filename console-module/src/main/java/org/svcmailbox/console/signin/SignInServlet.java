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
import org.svcmailbox.console.page.PageAnswers;
import org.svcmailbox.console.page.Target;
import org.svcmailbox.console.session.Reception;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.problem.MailboxException;

/** The sign-in: a form here, or the way to an OpenID Connect provider. */
@WebServlet(name = "signin", urlPatterns = "/signin")
public final class SignInServlet extends HttpServlet {
  private static final Logger LOG = System.getLogger(SignInServlet.class.getName());
  private static final int MAX_PASSWORD = 1_000;
  private static final int TOO_MANY_REQUESTS = 429;

  /** Requests that ask for users at once, who may be in a directory that is slow. */
  private static final int MOST_ASKING = 8;

  private static final long serialVersionUID = 1L;

  private static final String WRONG = "Wrong user name or password.";

  private final transient Reception reception;
  private final transient IdentityStoreHandler users;
  private final transient Optional<ProviderSignIn> provider;
  private final transient Tries tries = new Tries(System::nanoTime);
  private final transient Semaphore asking = new Semaphore(MOST_ASKING);

  /** With what the container gives. */
  @Inject
  public SignInServlet(Reception reception, IdentityStoreHandler users, ProviderAccess provider) {
    this.reception = reception;
    this.users = users;
    this.provider = provider.signIn();
  }

  /** What somebody has typed in. */
  private record Attempt(String user, String password, Target target) {
    /** Who, not what makes them so. */
    @Override
    public String toString() {
      return user;
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Target target = Target.of(request.getParameter("to"));
    if (reception.user(request).isPresent()) {
      PageAnswers.goOn(response, target.location());
    } else if (provider.isPresent()) {
      provider.get().begin(request, response, target);
    } else {
      PageAnswers.show(response, HttpServletResponse.SC_OK, SignInPage.of("", target, ""));
    }
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Target target = Target.of(request.getParameter("to"));
    Attempt attempt = new Attempt(given(request, "user"), given(request, "password"), target);
    if (provider.isPresent() || !reception.visit(request).isOfOurPages()) {
      refuse(response, HttpServletResponse.SC_FORBIDDEN, "This sign-in request was rejected.", attempt);
    } else if (!ConsoleUser.isName(attempt.user()) || attempt.password().length() > MAX_PASSWORD) {
      refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
    } else {
      attempt(attempt, request, response);
    }
  }

  private void attempt(Attempt attempt, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    InetAddress address = reception.visit(request).address();
    Optional<Duration> wait = tries.begin(address, attempt.user());
    if (wait.isPresent()) {
      long seconds = wait.get().plusMillis(999).toSeconds();
      response.setHeader("Retry-After", Long.toString(seconds));
      String told = "Too many attempts. Try again in %d s.".formatted(seconds);
      refuse(response, TOO_MANY_REQUESTS, told, attempt);
      return;
    }
    if (!asking.tryAcquire()) {
      String told = "Too many concurrent sign-ins. Try again.";
      refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, told, attempt);
      return;
    }
    CredentialValidationResult result;
    try {
      result =
          users.validate(
              new UsernamePasswordCredential(attempt.user(), new Password(attempt.password())));
    } finally {
      asking.release();
    }
    if (result.getStatus() != Status.VALID) {
      // Not the name: people write passwords into that field.
      LOG.log(Level.INFO, "A sign-in to the console from {0} failed", address);
      refuse(response, HttpServletResponse.SC_FORBIDDEN, WRONG, attempt);
      return;
    }
    tries.succeeded(address, attempt.user());
    Optional<ConsoleRole> role = ConsoleRole.widest(result.getCallerGroups());
    if (role.isEmpty()) {
      String told = "This user has neither the viewer nor the operator role.";
      refuse(response, HttpServletResponse.SC_FORBIDDEN, told, attempt);
      return;
    }
    try {
      reception.signIn(new ConsoleUser(attempt.user(), role.get()), "form", request, response);
      PageAnswers.goOn(response, attempt.target().location());
    } catch (MailboxException e) {
      LOG.log(Level.ERROR, "Nobody can be signed in to the console", e);
      String told = "The service is unavailable. See the server log.";
      refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, told, attempt);
    }
  }

  private static void refuse(
      HttpServletResponse response, int status, String fault, Attempt attempt) throws IOException {
    PageAnswers.show(response, status, SignInPage.of(fault, attempt.target(), attempt.user()));
  }

  private static String given(HttpServletRequest request, String field) {
    String value = request.getParameter(field);
    return value == null ? "" : value;
  }
}
