package org.svcmailbox.web.delivery;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;
import org.svcmailbox.web.servlet.MessageServlet;

/** A servlet that settles delivered messages. */
abstract class SettleServlet<B> extends MessageServlet<B> {
  private static final long serialVersionUID = 1L;

  SettleServlet(Class<B> bodyType, EndpointContext context) {
    super(bodyType, context);
  }

  final void settle(SettleRequest request, Caller caller, Exchange exchange) {
    exchange.answer(
        mailbox().settle(caller, request),
        outcome -> Outcomes.answer(Outcomes.result(request.msgId(), outcome), exchange.call()));
  }

  /** Settles each request independently. */
  final void settleEach(List<? extends SettleRequest> requests, Caller caller, Exchange exchange) {
    exchange.answer(
        CallBatch.of(requests, request -> result(request, caller)),
        batch -> Answer.json(BatchResponse.of(batch, result -> result, exchange.call())));
  }

  private CompletionStage<Object> result(SettleRequest request, Caller caller) {
    return mailbox()
        .settle(caller, request)
        .thenApply(outcome -> Outcomes.result(request.msgId(), outcome));
  }
}
