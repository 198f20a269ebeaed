package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.console.users.PasswordChanges;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.envelope.Timestamps;

/** Exchanges a session for a capability; 204 without a session. */
@WebServlet(name = "capability", urlPatterns = "/session/capability")
public final class CapabilityServlet extends ScriptServlet {
  private static final long serialVersionUID = 1L;

  private final transient SessionService sessions;
  private final transient PasswordChanges passwords;

  @Inject
  public CapabilityServlet(SessionService sessions, PasswordChanges passwords) {
    this.sessions = sessions;
    this.passwords = passwords;
  }

  @Override
  protected void serve(HttpServletRequest request, HttpServletResponse response) {
    sessions
        .caller(request, isActive(request))
        .flatMap(present -> capability(present, request))
        .ifPresentOrElse(
            members -> JsonResponses.json(response, members),
            () -> response.setStatus(HttpServletResponse.SC_NO_CONTENT));
  }

  private Optional<Map<String, Object>> capability(ConsoleUser user, HttpServletRequest request) {
    return sessions
        .capability(user, request)
        .map(minted -> members(user, minted, sessions.left(request)));
  }

  private Map<String, Object> members(ConsoleUser user, Minted minted, Duration left) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("capability", minted.token());
    members.put("expires", Timestamps.text(minted.expires()));
    members.put("user", user.name());
    members.put("role", user.role().text());
    members.put("ops", user.role().ops());
    members.put("session_ends_in_s", left.toSeconds());
    members.put("confirm", sessions.hasProvider() ? "provider" : "password");
    members.put("password_change", passwords.isOffered(user.name()));
    return members;
  }
}
