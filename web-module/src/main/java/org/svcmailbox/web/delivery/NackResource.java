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
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.SettleRequest.Nack;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.plain.Plain;

/** NACK. */
@Path("/nack")
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class NackResource {
  @Inject @Plain private MailboxService mailbox;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public NackResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public NackResource(MailboxService mailbox) {
    this.mailbox = mailbox;
  }

  /** Gives one message back. */
  @POST
  public void nack(
      NackRequest body, @Suspended AsyncResponse response, @Context HttpServletRequest http) {
    Nack request = body.checked();
    Reply reply = Reply.to(http, response);
    reply.when(
        mailbox.settle(Callers.of(http), request),
        outcome -> Outcomes.response(Outcomes.result(request.msgId(), outcome), reply.call()));
  }
}
