package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.request.ExtendFields;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;

/** EXTEND: sets a later deadline for one lease. */
@WebServlet(name = "extend", urlPatterns = "/v1/extend", asyncSupported = true)
public final class ExtendServlet extends SettleServlet<ExtendFields> {
  private static final long serialVersionUID = 1L;

  @Inject
  public ExtendServlet(EndpointContext context) {
    super(ExtendFields.class, context);
  }

  @Override
  protected void serve(ExtendFields body, Caller caller, Exchange exchange) {
    settle(body.checked(settings().visibility()), caller, exchange);
  }
}
