package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;
import org.svcmailbox.web.servlet.MessageServlet;
import org.svcmailbox.web.servlet.OctetServlet;

@WebServlet(name = "send", urlPatterns = "/v1/send", asyncSupported = true)
public final class SendServlet extends MessageServlet<SendFields> implements OctetServlet {
  private static final long serialVersionUID = 1L;

  @Inject
  public SendServlet(EndpointContext context) {
    super(SendFields.class, context);
  }

  @Override
  protected void serve(SendFields body, Caller caller, Exchange exchange) {
    send(body.checked(settings().request()), caller, exchange);
  }

  /** Accepts a message with its payload as the body and its fields as headers. */
  @Override
  public void serve(Payload body, Caller caller, Exchange exchange) {
    send(OctetRequests.send(exchange.headers(), body, settings().request()), caller, exchange);
  }

  private void send(SendRequest given, Caller caller, Exchange exchange) {
    CorrId corrId = exchange.call().correlation().idOf(given.corrId());
    SendRequest request = given.within(corrId, exchange.trace());
    exchange.answer(
        mailbox().send(caller, request),
        outcome -> Outcomes.answer(Outcomes.result(outcome), exchange.call()));
  }
}
