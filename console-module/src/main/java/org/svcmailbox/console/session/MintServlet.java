package org.svcmailbox.console.session;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.capability.CapabilityOrder;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.ConsoleUser;
import org.svcmailbox.core.envelope.Timestamps;

/** Mints a capability for another holder, on behalf of an administrator. */
@WebServlet(name = "mint", urlPatterns = "/session/mint")
public final class MintServlet extends StepUpServlet<CapabilityOrder> {
  private static final long serialVersionUID = 1L;

  @Inject
  public MintServlet(SessionService sessions) {
    super(sessions);
  }

  @Override
  CapabilityOrder read(HttpServletRequest request) {
    JsonBody body = JsonBody.read(request, Set.of("expires_in", "note"), Set.of("caveats"));
    return CapabilityOrder.of(body.texts("caveats"), body.text("expires_in"), body.text("note"));
  }

  @Override
  Optional<Map<String, Object>> grant(
      ConsoleUser user, CapabilityOrder what, HttpServletRequest request) {
    Minted minted = sessions.mint(user, what, request);
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("capability", minted.token());
    members.put("nonce", minted.id().nonce());
    members.put("key_id", minted.id().keyId());
    members.put("expires", Timestamps.text(minted.expires()));
    return Optional.of(members);
  }
}
