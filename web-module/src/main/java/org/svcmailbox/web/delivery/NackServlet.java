package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.request.NackFields;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** NACK: returns one message. */
@WebServlet(name = "nack", urlPatterns = "/v1/nack", asyncSupported = true)
public final class NackServlet extends SettleServlet<NackFields> {
  private static final long serialVersionUID = 1L;

  @Inject
  public NackServlet(EndpointContext context) {
    super(NackFields.class, context);
  }

  @Override
  protected void serve(NackFields body, Caller caller, Exchange exchange) {
    settle(body.checked(), caller, exchange);
  }
}
