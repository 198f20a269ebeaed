package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.envelope.Timestamps;

/** Exchanges a session for a capability. */
@WebServlet(name = "capability", urlPatterns = "/session/capability")
public final class CapabilityServlet extends ScriptServlet {
  private static final long serialVersionUID = 1L;

  private final transient SessionService sessions;

  /** Called by the container. */
  @Inject
  public CapabilityServlet(SessionService sessions) {
    this.sessions = sessions;
  }

  @Override
  void serve(HttpServletRequest request, HttpServletResponse response) {
    // The container's principal may outlive the session, so both have to be valid.
    Optional<ConsoleUser> user =
        Optional.ofNullable(request.getUserPrincipal()).flatMap(present -> session(request));
    user.filter(present -> request.isUserInRole(present.role().text()))
        .flatMap(present -> capability(present, request))
        .ifPresentOrElse(
            members -> JsonResponses.json(response, members),
            () ->
                JsonResponses.problem(
                    response, HttpServletResponse.SC_UNAUTHORIZED, "no valid session"));
  }

  private Optional<ConsoleUser> session(HttpServletRequest request) {
    boolean isActive = "1".equals(request.getHeader(HEADER));
    return isActive ? sessions.touch(request) : sessions.user(request);
  }

  private Optional<Map<String, String>> capability(ConsoleUser user, HttpServletRequest request) {
    return sessions.capability(user, request).map(minted -> members(user, minted));
  }

  private static Map<String, String> members(ConsoleUser user, Minted minted) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("capability", minted.token());
    members.put("expires", Timestamps.text(minted.expires()));
    members.put("user", user.name());
    members.put("role", user.role().text());
    return members;
  }
}
