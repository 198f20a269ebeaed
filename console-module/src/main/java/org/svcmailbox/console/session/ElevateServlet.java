package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.capability.Elevation;
import org.svcmailbox.core.envelope.Timestamps;

/** Gives an administrator a capability of one more operation for a minute. */
@WebServlet(name = "elevate", urlPatterns = "/session/elevate")
public final class ElevateServlet extends StepUpServlet<Elevation> {
  private static final long serialVersionUID = 1L;

  @Inject
  public ElevateServlet(SessionService sessions) {
    super(sessions);
  }

  @Override
  Elevation read(HttpServletRequest request) {
    JsonBody body = JsonBody.read(request, Set.of("op", "topic"), Set.of());
    return Elevation.of(body.text("op"), body.text("topic"));
  }

  @Override
  Optional<Map<String, Object>> grant(
      ConsoleUser user, Elevation what, HttpServletRequest request) {
    return sessions.elevate(user, what, request).map(ElevateServlet::members);
  }

  private static Map<String, Object> members(Minted minted) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("capability", minted.token());
    members.put("expires", Timestamps.text(minted.expires()));
    return members;
  }
}
