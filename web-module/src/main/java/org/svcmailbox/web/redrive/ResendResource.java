package org.svcmailbox.web.redrive;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.delivery.Outcomes;
import org.svcmailbox.web.problem.Call;

/** Resends a dead letter with changes. */
@Path("/dlq/{topic}/{msg_id}/resend")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class ResendResource {
  @Inject private RedriveService redrive;

  /** For the container; JAX-RS injects fields only. */
  public ResendResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public ResendResource(RedriveService redrive) {
    this.redrive = redrive;
  }

  /** Sends the letter as a new message and removes it. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response resend(
      @PathParam("topic") String topic,
      @PathParam("msg_id") String id,
      ResendRequest body,
      @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    SendOutcome outcome =
        redrive.resend(caller, body.checked(new TopicName(topic), MsgId.parse(id)));
    return Answers.of(Outcomes.answer(Outcomes.result(outcome), Call.of(http)));
  }
}
