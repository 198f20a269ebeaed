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
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.plain.Plain;

/** EXTEND. */
@Path("/extend")
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public final class ExtendResource {
  @Inject @Plain private MailboxService mailbox;
  @Inject private MailboxSettings settings;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public ExtendResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public ExtendResource(MailboxService mailbox, MailboxSettings settings) {
    this.mailbox = mailbox;
    this.settings = settings;
  }

  /** Gives the consumer of one message more time. */
  @POST
  public void extend(
      ExtendRequest body, @Suspended AsyncResponse response, @Context HttpServletRequest http) {
    Extend request = body.checked(settings.visibility());
    Reply reply = Reply.to(http, response);
    reply.when(
        mailbox.settle(Callers.of(http), request),
        outcome -> Outcomes.response(Outcomes.result(request.msgId(), outcome), reply.call()));
  }
}
