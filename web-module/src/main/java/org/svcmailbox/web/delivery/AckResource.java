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
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.json.Answers;
import org.svcmailbox.web.plain.Plain;

/** ACK, of one message or of many. */
@Path("/ack")
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class AckResource {
  @Inject @Plain private MailboxService mailbox;
  @Inject private MailboxSettings settings;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public AckResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public AckResource(MailboxService mailbox, MailboxSettings settings) {
    this.mailbox = mailbox;
    this.settings = settings;
  }

  /** Acknowledges one message. */
  @POST
  public void ack(
      AckRequest body, @Suspended AsyncResponse response, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    Ack request = body.checked();
    Reply reply = Reply.to(http, response);
    reply.when(settled(caller, request), result -> Outcomes.response(result, reply.call()));
  }

  /** Acknowledges many messages: each for itself, once all are well-formed. */
  @POST
  @Path("/batch")
  public void ackBatch(
      AckBatchRequest body, @Suspended AsyncResponse response, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    List<Ack> requests = body.checked(settings.request().batch());
    Reply reply = Reply.to(http, response);
    reply.when(
        Batch.of(requests, request -> settled(caller, request)),
        batch -> Answers.ok(batch.response(result -> result, reply.call())));
  }

  private CompletionStage<Object> settled(Caller caller, Ack request) {
    return mailbox
        .settle(caller, request)
        .thenApply(outcome -> Outcomes.result(request.msgId(), outcome));
  }
}
