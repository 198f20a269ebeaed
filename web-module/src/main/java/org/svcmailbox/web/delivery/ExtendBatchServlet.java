package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** EXTEND of a batch. Validates all elements first, then settles each independently. */
@WebServlet(name = "extend-batch", urlPatterns = "/v1/extend/batch", asyncSupported = true)
public final class ExtendBatchServlet extends SettleServlet<ExtendBatchRequest> {
  private static final long serialVersionUID = 1L;

  @Inject
  public ExtendBatchServlet(EndpointContext context) {
    super(ExtendBatchRequest.class, context);
  }

  @Override
  protected void serve(ExtendBatchRequest body, Caller caller, Exchange exchange) {
    settleEach(
        body.checked(settings().request().batch(), settings().visibility()), caller, exchange);
  }
}
