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
import org.svcmailbox.core.request.RecvFields;
import org.svcmailbox.core.trace.CallSpan;
import org.svcmailbox.web.answer.Answer;
import org.svcmailbox.web.problem.ProblemAnswer;
import org.svcmailbox.web.problem.Problems;
import org.svcmailbox.web.servlet.EndpointContext;
import org.svcmailbox.web.servlet.Exchange;
import org.svcmailbox.web.servlet.MessageServlet;
import org.svcmailbox.web.servlet.OctetServlet;
import org.svcmailbox.web.servlet.Peer;

/** RECV: delivers messages at once, or as soon as some are ready. */
@WebServlet(name = "recv", urlPatterns = "/v1/recv", asyncSupported = true)
public final class RecvServlet extends MessageServlet<RecvFields> implements OctetServlet {
  private static final long serialVersionUID = 1L;

  @Inject
  public RecvServlet(EndpointContext context) {
    super(RecvFields.class, context);
  }

  @Override
  protected void serve(RecvFields body, Caller caller, Exchange exchange) {
    recv(body.checked(settings()), LeasedResponse.JSON, caller, exchange);
  }

  /** Delivers one message: its payload as the body, its fields as headers. */
  @Override
  public void serve(Payload body, Caller caller, Exchange exchange) {
    RecvRequest request = OctetRequests.recv(exchange.headers(), body, settings());
    recv(request, LeasedResponse.OCTETS, caller, exchange);
  }

  private void recv(RecvRequest request, LeasedResponse format, Caller caller, Exchange exchange) {
    Peer peer = Peer.of(exchange.http());
    PendingRecv pending = mailbox().recv(caller, request);
    exchange.answerLeased(
        pending.outcome(),
        outcome -> {
          link(outcome, exchange.span());
          return answer(outcome, delivered -> format.of(delivered, peer), exchange);
        },
        pending::abandon);
    peer.whenGone(
        () -> {
          pending.abandon();
          exchange.drop();
        });
  }

  private static void link(RecvOutcome outcome, CallSpan span) {
    if (span != CallSpan.NONE && outcome instanceof Delivered delivered) {
      delivered.messages().stream()
          .map(leased -> leased.message().trace())
          .filter(Objects::nonNull)
          .forEach(span::link);
    }
  }

  private static Answer answer(
      RecvOutcome outcome, Function<Delivered, Answer> format, Exchange exchange) {
    if (outcome instanceof Delivered delivered) {
      return format.apply(delivered);
    }
    if (outcome instanceof Refusal refusal) {
      return ProblemAnswer.outcome(Problems.refused(refusal), exchange.call());
    }
    throw Outcomes.unforeseen(outcome);
  }
}
