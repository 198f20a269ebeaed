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
import java.util.List;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Operation;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.json.Answers;
import org.svcmailbox.web.plain.Plain;
import org.svcmailbox.web.trace.Correlation;
import org.svcmailbox.web.trace.RequestSpan;

/** SEND, of one message or of many. */
@Path("/send")
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class SendResource {
  @Inject @Plain private MailboxService mailbox;
  @Inject private MailboxSettings settings;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public SendResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public SendResource(MailboxService mailbox, MailboxSettings settings) {
    this.mailbox = mailbox;
    this.settings = settings;
  }

  /** Takes one message. */
  @POST
  public void send(
      SendMessageRequest body,
      @Suspended AsyncResponse response,
      @Context HttpServletRequest http) {
    send(body.checked(settings.request()), response, http);
  }

  /** Takes one message whose payload is the body and whose fields are headers. */
  @POST
  @Consumes(MediaType.APPLICATION_OCTET_STREAM)
  public void sendOctets(
      Payload payload,
      @Context HttpHeaders headers,
      @Suspended AsyncResponse response,
      @Context HttpServletRequest http) {
    send(
        OctetRequests.send(headers.getRequestHeaders(), payload, settings.request()),
        response,
        http);
  }

  private void send(SendRequest given, AsyncResponse response, HttpServletRequest http) {
    CorrId corrId = Correlation.of(http).idOf(given.corrId());
    SendRequest request = given.within(corrId, RequestSpan.contextOf(http));
    Reply reply = Reply.to(http, response);
    reply.when(
        mailbox.send(Callers.of(http), request),
        outcome -> Outcomes.response(Outcomes.result(outcome), reply.call()));
  }

  /** Takes many messages: each is accepted or refused for itself, once all are well-formed. */
  @POST
  @Path("/batch")
  public void sendBatch(
      SendBatchRequest body, @Suspended AsyncResponse response, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    List<SendRequest> requests = body.checked(settings.request());
    // What holds for every topic is said of the whole batch.
    caller.requireAnywhere(Operation.SEND);
    TraceContext trace = RequestSpan.contextOf(http);
    Reply reply = Reply.to(http, response);
    reply.when(
        Batch.of(
            requests, request -> mailbox.send(caller, request.within(request.corrId(), trace))),
        batch -> Answers.ok(batch.response(Outcomes::result, reply.call())));
  }
}
