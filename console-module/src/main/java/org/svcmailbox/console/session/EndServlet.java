package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Signs out. Open to everybody: who is not signed in is told the same. */
@WebServlet(name = "end", urlPatterns = "/session/end")
public final class EndServlet extends ScriptServlet {
  private static final long serialVersionUID = 1L;

  private final transient Reception reception;

  /** With what the container gives. */
  @Inject
  public EndServlet(Reception reception) {
    this.reception = reception;
  }

  @Override
  void serve(HttpServletRequest request, HttpServletResponse response) {
    reception.signOut(request, response);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }
}
