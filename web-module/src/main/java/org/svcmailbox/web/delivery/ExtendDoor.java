package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;

/** EXTEND: the consumer of one message gets more time. */
@WebServlet(name = "extend", urlPatterns = "/v1/extend", asyncSupported = true)
public final class ExtendDoor extends SettleDoor<ExtendRequest> {
  private static final long serialVersionUID = 1L;

  /** With what the container gives. */
  @Inject
  public ExtendDoor(Doorway way) {
    super(ExtendRequest.class, way);
  }

  @Override
  protected void serve(ExtendRequest body, Caller caller, Exchange exchange) {
    settle(body.checked(settings().visibility()), caller, exchange);
  }
}
