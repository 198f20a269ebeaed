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

/** Starts jobs over a topic's dead letters. */
@Path("/dlq/{topic}/jobs")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class StartJobResource {
  @Inject private RedriveService redrive;

  /** For the container; JAX-RS injects fields only. */
  public StartJobResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public StartJobResource(RedriveService redrive) {
    this.redrive = redrive;
  }

  /** Starts a job, or counts its letters in a dry run. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response start(
      @PathParam("topic") String topic, StartJobRequest body, @Context HttpServletRequest http) {
    Caller caller = Callers.of(http);
    RedriveService.JobRequest request = body.checked(new TopicName(topic));
    if (body.isDryRun()) {
      return Answers.ok(DryRunResponse.of(request, redrive.dryRun(caller, request)));
    }
    JobResponse job = JobResponse.of(redrive.start(caller, request));
    Response answer = Answers.of(Status.ACCEPTED, job);
    // A string, because JAX-RS would resolve a URI against the application's path.
    return Response.fromResponse(answer)
        .header(HttpHeaders.LOCATION, "/v1/jobs/" + job.jobId())
        .build();
  }
}
