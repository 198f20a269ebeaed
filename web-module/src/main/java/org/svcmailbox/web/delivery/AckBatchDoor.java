package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;
import org.svcmailbox.web.door.MessageDoor;

/** ACK of many messages: each for itself, once all are well-formed. */
@WebServlet(name = "ack-batch", urlPatterns = "/v1/ack/batch", asyncSupported = true)
public final class AckBatchDoor extends MessageDoor<AckBatchRequest> {
  private static final long serialVersionUID = 1L;

  /** With what the container gives. */
  @Inject
  public AckBatchDoor(Doorway way) {
    super(AckBatchRequest.class, way);
  }

  @Override
  protected void serve(AckBatchRequest body, Caller caller, Exchange exchange) {
    List<Ack> requests = body.checked(settings().request().batch());
    exchange.answer(
        Batch.of(requests, request -> settled(caller, request)),
        batch -> Answer.json(batch.response(result -> result, exchange.call())));
  }

  private CompletionStage<Object> settled(Caller caller, Ack request) {
    return mailbox()
        .settle(caller, request)
        .thenApply(outcome -> Outcomes.result(request.msgId(), outcome));
  }
}
