package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

@WebServlet(name = "ack", urlPatterns = "/v1/ack", asyncSupported = true)
public final class AckServlet extends SettleServlet<AckRequest> {
  private static final long serialVersionUID = 1L;

  @Inject
  public AckServlet(EndpointContext context) {
    super(AckRequest.class, context);
  }

  @Override
  protected void serve(AckRequest body, Caller caller, Exchange exchange) {
    settle(body.checked(), caller, exchange);
  }
}
