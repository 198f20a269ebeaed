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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;

/** Where jobs over a topic's dead letters are made. */
@Path("/dlq/{topic}/jobs")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class StartJobResource {
  @Inject private RedriveService redrive;

  /** For the container, which fills the fields: JAX-RS knows no constructor injection. */
  public StartJobResource() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public StartJobResource(RedriveService redrive) {
    this.redrive = redrive;
  }

  /** Makes a job, or tells what it would be about. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response start(
      @PathParam("topic") String topic, StartJobRequest body, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    RedriveService.Wanted wanted = body.checked(new TopicName(topic));
    if (body.isDryRun()) {
      return Answers.ok(DryRunResponse.of(redrive.dryRun(caller, wanted)));
    }
    JobResponse job = JobResponse.of(redrive.start(caller, wanted));
    Response answer = Answers.of(Status.ACCEPTED, job);
    // As text: a URI would be taken as below the application's own.
    return Response.fromResponse(answer)
        .header(HttpHeaders.LOCATION, "/v1/jobs/" + job.jobId())
        .build();
  }
}
