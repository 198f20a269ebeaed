package org.svcmailbox.console.oidc;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** The redirect URI of the OpenID Connect flow. */
@WebServlet(name = "callback", urlPatterns = "/signin/callback")
public final class CallbackServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Optional<ProviderSignIn> signIn;

  @Inject
  public CallbackServlet(ProviderAccess provider) {
    this.signIn = provider.signIn();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (signIn.isPresent()) {
      signIn.get().complete(request, response);
    } else {
      response.setStatus(HttpServletResponse.SC_NOT_FOUND);
    }
  }
}
