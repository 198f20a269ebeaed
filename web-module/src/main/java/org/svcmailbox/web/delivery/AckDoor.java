package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;

/** ACK of one message. */
@WebServlet(name = "ack", urlPatterns = "/v1/ack", asyncSupported = true)
public final class AckDoor extends SettleDoor<AckRequest> {
  private static final long serialVersionUID = 1L;

  /** With what the container gives. */
  @Inject
  public AckDoor(Doorway way) {
    super(AckRequest.class, way);
  }

  @Override
  protected void serve(AckRequest body, Caller caller, Exchange exchange) {
    settle(body.checked(), caller, exchange);
  }
}
