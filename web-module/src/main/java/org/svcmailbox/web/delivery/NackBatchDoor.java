package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;

/** NACK of many messages: each for itself, once all are well-formed. */
@WebServlet(name = "nack-batch", urlPatterns = "/v1/nack/batch", asyncSupported = true)
public final class NackBatchDoor extends SettleDoor<NackBatchRequest> {
  private static final long serialVersionUID = 1L;

  /** With what the container gives. */
  @Inject
  public NackBatchDoor(Doorway way) {
    super(NackBatchRequest.class, way);
  }

  @Override
  protected void serve(NackBatchRequest body, Caller caller, Exchange exchange) {
    settleEach(body.checked(settings().request().batch()), caller, exchange);
  }
}
