package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import java.util.Objects;
import java.util.function.Function;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.door.Doorway;
import org.svcmailbox.web.door.Exchange;
import org.svcmailbox.web.door.MessageDoor;
import org.svcmailbox.web.door.OctetDoor;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.problem.Problems;
import org.svcmailbox.web.trace.RequestSpan;

/** RECV: messages are handed out, at once or as soon as there are any. */
@WebServlet(name = "recv", urlPatterns = "/v1/recv", asyncSupported = true)
public final class RecvDoor extends MessageDoor<ReceiveRequest> implements OctetDoor {
  private static final long serialVersionUID = 1L;

  /** With what the container gives. */
  @Inject
  public RecvDoor(Doorway way) {
    super(ReceiveRequest.class, way);
  }

  @Override
  protected void serve(ReceiveRequest body, Caller caller, Exchange exchange) {
    recv(body.checked(settings()), LeasedResponse.JSON, caller, exchange);
  }

  /** Hands one message out, its payload as the body and its fields as headers. */
  @Override
  public void serve(Payload body, Caller caller, Exchange exchange) {
    RecvRequest request = OctetRequests.recv(exchange.headers(), body, settings());
    recv(request, LeasedResponse.OCTETS, caller, exchange);
  }

  private void recv(RecvRequest request, LeasedResponse form, Caller caller, Exchange exchange) {
    Peer peer = Peer.of(exchange.http());
    PendingRecv pending = mailbox().recv(caller, request);
    exchange.answerAside(
        pending.outcome(),
        outcome -> {
          link(outcome, exchange.span());
          return answer(outcome, delivered -> form.of(delivered, pending, peer), exchange);
        },
        pending::abandon);
    peer.whenGone(
        () -> {
          pending.abandon();
          exchange.drop();
        });
  }

  private static void link(RecvOutcome outcome, RequestSpan span) {
    if (span != RequestSpan.NONE && outcome instanceof Delivered delivered) {
      delivered.messages().stream()
          .map(leased -> leased.message().trace())
          .filter(Objects::nonNull)
          .forEach(span::link);
    }
  }

  private static Answer answer(
      RecvOutcome outcome, Function<Delivered, Answer> form, Exchange exchange) {
    if (outcome instanceof Delivered delivered) {
      return form.apply(delivered);
    }
    if (outcome instanceof Refusal refusal) {
      return ProblemAnswer.outcome(Problems.refused(refusal), exchange.call());
    }
    throw Outcomes.unforeseen(outcome);
  }
}
