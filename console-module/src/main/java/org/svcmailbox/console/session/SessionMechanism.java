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
 * Tells the server who makes a request: whoever is signed in. Nobody is sent to the sign-in from
 * here: what is for those only is asked for by scripts, which are told 401.
 */
@Singleton
public class SessionMechanism implements HttpAuthenticationMechanism {
  private final Reception reception;

  /** With what the container gives. */
  @Inject
  public SessionMechanism(Reception reception) {
    this.reception = reception;
  }

  @Override
  public AuthenticationStatus validateRequest(
      HttpServletRequest request, HttpServletResponse response, HttpMessageContext context) {
    Optional<ConsoleUser> user = reception.user(request);
    return user.isPresent()
        ? context.notifyContainerAboutLogin(
            new CallerPrincipal(user.get().name()), Set.of(user.get().role().text()))
        : context.doNothing();
  }
}
