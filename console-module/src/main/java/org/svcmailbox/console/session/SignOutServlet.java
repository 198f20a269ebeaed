package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Signs out. The response is the same without a session. */
@WebServlet(name = "signOut", urlPatterns = "/session/end")
public final class SignOutServlet extends ScriptServlet {
  private static final long serialVersionUID = 1L;

  private final transient SessionService sessions;

  @Inject
  public SignOutServlet(SessionService sessions) {
    this.sessions = sessions;
  }

  @Override
  protected void serve(HttpServletRequest request, HttpServletResponse response) {
    sessions.signOut(request, response);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }
}
