package org.svcmailbox.web.redrive;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;

/** Lists the jobs of all topics. */
@Path("/jobs")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class JobListResource {
  private static final String TOPIC = "topic";
  private static final String LIMIT = "limit";
  private static final int DEFAULT_LIMIT = 50;

  @Inject private RedriveService redrive;

  /** For the container; JAX-RS injects fields only. */
  public JobListResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public JobListResource(RedriveService redrive) {
    this.redrive = redrive;
  }

  /** Lists jobs, newest first. */
  @GET
  public Response list(@Context UriInfo uri, @Context HttpServletRequest http) {
    Query query = new Query(uri, Set.of(TOPIC, LIMIT));
    TopicName topic = query.value(TOPIC, TopicName::new);
    int limit = (int) query.number(LIMIT, 1, RedriveService.MAX_JOBS, DEFAULT_LIMIT);
    query.end();
    return Answers.ok(JobListResponse.of(redrive.jobs(Callers.of(http), topic, limit)));
  }
}
