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

/** Exchanges a session for a capability, which the page keeps in memory and calls the API with. */
@WebServlet(name = "capability", urlPatterns = "/session/capability")
public final class CapabilityServlet extends ScriptServlet {
  private static final long serialVersionUID = 1L;

  private final transient Reception reception;
  private final transient ConsoleService console;

  /** With what the container gives. */
  @Inject
  public CapabilityServlet(Reception reception, ConsoleService console) {
    this.reception = reception;
    this.console = console;
  }

  @Override
  void serve(HttpServletRequest request, HttpServletResponse response) {
    // What the server knows from the mechanism; the session itself says whether it ended since.
    Optional<ConsoleUser> user =
        Optional.ofNullable(request.getUserPrincipal()).flatMap(who -> session(request));
    user.filter(who -> request.isUserInRole(who.role().text()))
        .ifPresentOrElse(
            who -> ScriptReplies.json(response, capability(who, request)),
            () ->
                ScriptReplies.problem(
                    response, HttpServletResponse.SC_UNAUTHORIZED, "nobody is signed in here"));
  }

  private Optional<ConsoleUser> session(HttpServletRequest request) {
    boolean isUse = "1".equals(request.getHeader(HEADER));
    return isUse ? reception.use(request) : reception.user(request);
  }

  private Map<String, String> capability(ConsoleUser user, HttpServletRequest request) {
    Minted minted = console.mint(user, reception.visit(request).address());
    Map<String, String> members = new LinkedHashMap<>();
    members.put("capability", minted.token());
    members.put("expires", Timestamps.text(minted.expires()));
    members.put("user", user.name());
    members.put("role", user.role().text());
    return members;
  }
}
