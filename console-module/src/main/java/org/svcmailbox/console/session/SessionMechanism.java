package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.security.enterprise.AuthenticationStatus;
import jakarta.security.enterprise.CallerPrincipal;
import jakarta.security.enterprise.authentication.mechanism.http.HttpAuthenticationMechanism;
import jakarta.security.enterprise.authentication.mechanism.http.HttpMessageContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.capability.ConsoleUser;

/**
 * Authenticates requests by the session cookie. It never redirects to the sign-in form: only
 * scripts call protected endpoints, and they get 401.
 */
@Singleton
public class SessionMechanism implements HttpAuthenticationMechanism {
  private final SessionService sessions;

  @Inject
  public SessionMechanism(SessionService sessions) {
    this.sessions = sessions;
  }

  @Override
  public AuthenticationStatus validateRequest(
      HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
    Optional<ConsoleUser> user = sessions.user(request);
    return user.isPresent()
        ? context.notifyContainerAboutLogin(
            new CallerPrincipal(user.get().name()), Set.of(user.get().role().text()))
        : context.doNothing();
  }
}
