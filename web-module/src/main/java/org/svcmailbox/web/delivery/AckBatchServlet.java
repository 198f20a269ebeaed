package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** ACK of a batch. Validates all elements first, then settles each independently. */
@WebServlet(name = "ack-batch", urlPatterns = "/v1/ack/batch", asyncSupported = true)
public final class AckBatchServlet extends SettleServlet<AckBatchRequest> {
  private static final long serialVersionUID = 1L;

  @Inject
  public AckBatchServlet(EndpointContext context) {
    super(AckBatchRequest.class, context);
  }

  @Override
  protected void serve(AckBatchRequest body, Caller caller, Exchange exchange) {
    settleEach(body.checked(settings().request().batch()), caller, exchange);
  }
}
