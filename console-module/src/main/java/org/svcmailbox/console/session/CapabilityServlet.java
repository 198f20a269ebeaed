package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleService;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.envelope.Timestamps;

/** Exchanges a session for a capability. */
@WebServlet(name = "capability", urlPatterns = "/session/capability")
public final class CapabilityServlet extends ScriptServlet {
  private static final long serialVersionUID = 1L;

  private final transient SessionService sessions;
  private final transient ConsoleService console;

  /** Called by the container. */
  @Inject
  public CapabilityServlet(SessionService sessions, ConsoleService console) {
    this.sessions = sessions;
    this.console = console;
  }

  @Override
  void serve(HttpServletRequest request, HttpServletResponse response) {
    // The container's principal may outlive the session, so both have to be valid.
    Optional<ConsoleUser> user =
        Optional.ofNullable(request.getUserPrincipal()).flatMap(present -> session(request));
    user.filter(present -> request.isUserInRole(present.role().text()))
        .ifPresentOrElse(
            present -> JsonResponses.json(response, capability(present, request)),
            () ->
                JsonResponses.problem(
                    response, HttpServletResponse.SC_UNAUTHORIZED, "no valid session"));
  }

  private Optional<ConsoleUser> session(HttpServletRequest request) {
    boolean isActive = "1".equals(request.getHeader(HEADER));
    return isActive ? sessions.touch(request) : sessions.user(request);
  }

  private Map<String, String> capability(ConsoleUser user, HttpServletRequest request) {
    Minted minted = console.mint(user, sessions.request(request).address());
    Map<String, String> members = new LinkedHashMap<>();
    members.put("capability", minted.token());
    members.put("expires", Timestamps.text(minted.expires()));
    members.put("user", user.name());
    members.put("role", user.role().text());
    return members;
  }
}
