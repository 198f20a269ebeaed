package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** NACK of a batch. Validates all elements first, then settles each independently. */
@WebServlet(name = "nack-batch", urlPatterns = "/v1/nack/batch", asyncSupported = true)
public final class NackBatchServlet extends SettleServlet<NackBatchRequest> {
  private static final long serialVersionUID = 1L;

  @Inject
  public NackBatchServlet(EndpointContext context) {
    super(NackBatchRequest.class, context);
  }

  @Override
  protected void serve(NackBatchRequest body, Caller caller, Exchange exchange) {
    settleEach(body.checked(settings().request().batch()), caller, exchange);
  }
}
