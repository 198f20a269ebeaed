package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;
import org.svcmailbox.web.servlet.MessageServlet;

/** SEND of a batch. Validates all messages first, then accepts or refuses each independently. */
@WebServlet(name = "send-batch", urlPatterns = "/v1/send/batch", asyncSupported = true)
public final class SendBatchServlet extends MessageServlet<SendBatchRequest> {
  private static final long serialVersionUID = 1L;

  @Inject
  public SendBatchServlet(EndpointContext context) {
    super(SendBatchRequest.class, context);
  }

  @Override
  protected void serve(SendBatchRequest body, Caller caller, Exchange exchange) {
    List<SendRequest> requests = body.checked(settings().request());
    // A refusal that applies to every topic refuses the whole batch.
    caller.requireAnywhere(Operation.SEND);
    @Nullable TraceContext trace = exchange.trace();
    exchange.answer(
        CallBatch.of(
            requests, request -> mailbox().send(caller, request.within(request.corrId(), trace))),
        batch -> Answer.json(BatchResponse.of(batch, Outcomes::result, exchange.call())));
  }
}
