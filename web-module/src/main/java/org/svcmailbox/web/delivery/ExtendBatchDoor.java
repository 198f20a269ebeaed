package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;

/** EXTEND of many messages: each for itself, once all are well-formed. */
@WebServlet(name = "extend-batch", urlPatterns = "/v1/extend/batch", asyncSupported = true)
public final class ExtendBatchDoor extends SettleDoor<ExtendBatchRequest> {
  private static final long serialVersionUID = 1L;

  /** With what the container gives. */
  @Inject
  public ExtendBatchDoor(Doorway way) {
    super(ExtendBatchRequest.class, way);
  }

  @Override
  protected void serve(ExtendBatchRequest body, Caller caller, Exchange exchange) {
    settleEach(
        body.checked(settings().request().batch(), settings().visibility()), caller, exchange);
  }
}
