package org.svcmailbox.web.delivery;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Objects;
import java.util.function.Function;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.plain.Plain;
import org.svcmailbox.web.problem.ProblemResponse;
import org.svcmailbox.web.problem.Problems;
import org.svcmailbox.web.trace.RequestSpan;

/** RECV. */
@Path("/recv")
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class RecvResource {
  @Inject @Plain private MailboxService mailbox;
  @Inject private MailboxSettings settings;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public RecvResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public RecvResource(MailboxService mailbox, MailboxSettings settings) {
    this.mailbox = mailbox;
    this.settings = settings;
  }

  /** Hands messages out, at once or as soon as there are any. */
  @POST
  public void recv(
      ReceiveRequest body, @Suspended AsyncResponse response, @Context HttpServletRequest http) {
    recv(body.checked(settings), LeasedResponse.JSON, response, http);
  }

  /** Hands one message out, its payload as the body and its fields as headers. */
  @POST
  @Consumes(MediaType.APPLICATION_OCTET_STREAM)
  @Produces(MediaType.APPLICATION_OCTET_STREAM)
  public void recvOctets(
      Payload body,
      @Context HttpHeaders headers,
      @Suspended AsyncResponse response,
      @Context HttpServletRequest http) {
    RecvRequest request = OctetRequests.recv(headers.getRequestHeaders(), body, settings);
    recv(request, LeasedResponse.OCTETS, response, http);
  }

  private void recv(
      RecvRequest request, LeasedResponse form, AsyncResponse response, HttpServletRequest http) {
    Reply reply = Reply.to(http, response);
    Peer peer = Peer.of(http);
    RequestSpan span = RequestSpan.current();
    PendingRecv pending = mailbox.recv(Callers.of(http), request);
    reply.when(
        pending.outcome(),
        outcome -> {
          link(outcome, span);
          return answer(outcome, delivered -> form.of(delivered, pending, peer), reply);
        },
        pending::abandon);
    peer.whenGone(
        () -> {
          pending.abandon();
          reply.drop();
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

  private static Response answer(
      RecvOutcome outcome, Function<Delivered, Response> form, Reply reply) {
    if (outcome instanceof Delivered delivered) {
      return form.apply(delivered);
    }
    if (outcome instanceof Refusal refusal) {
      return ProblemResponse.outcome(Problems.refused(refusal), reply.call());
    }
    throw Outcomes.unforeseen(outcome);
  }
}
