package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.request.AckFields;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

@WebServlet(name = "ack", urlPatterns = "/v1/ack", asyncSupported = true)
public final class AckServlet extends SettleServlet<AckFields> {
  private static final long serialVersionUID = 1L;

  @Inject
  public AckServlet(EndpointContext context) {
    super(AckFields.class, context);
  }

  @Override
  protected void serve(AckFields body, Caller caller, Exchange exchange) {
    settle(body.checked(), caller, exchange);
  }
}
