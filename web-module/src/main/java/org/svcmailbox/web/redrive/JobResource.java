package org.svcmailbox.web.redrive;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;

/** Shows and controls one job. */
@Path("/jobs/{job_id: j[0-9a-f]{16}}")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public class JobResource {
  @Inject private RedriveService redrive;

  /** For the container; JAX-RS injects fields only. */
  public JobResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public JobResource(RedriveService redrive) {
    this.redrive = redrive;
  }

  @GET
  public Response get(@PathParam("job_id") String id, @Context HttpServletRequest http) {
    return answer(redrive.job(Callers.of(http), new JobId(id)));
  }

  @POST
  @Path("/pause")
  public Response pause(@PathParam("job_id") String id, @Context HttpServletRequest http) {
    return answer(redrive.pause(Callers.of(http), new JobId(id)));
  }

  @POST
  @Path("/resume")
  public Response resume(@PathParam("job_id") String id, @Context HttpServletRequest http) {
    return answer(redrive.resume(Callers.of(http), new JobId(id)));
  }

  @POST
  @Path("/cancel")
  public Response cancel(@PathParam("job_id") String id, @Context HttpServletRequest http) {
    return answer(redrive.cancel(Callers.of(http), new JobId(id)));
  }

  /** Changes the letters per second while the job runs. */
  @POST
  @Path("/rate")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response rate(
      @PathParam("job_id") String id, RateRequest body, @Context HttpServletRequest http) {
    return answer(redrive.rate(Callers.of(http), new JobId(id), body.checked()));
  }

  private static Response answer(RedriveService.Status job) {
    return Answers.ok(JobResponse.of(job));
  }
}
