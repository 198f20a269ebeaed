package org.svcmailbox.web.cluster;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Set;
import org.svcmailbox.core.cluster.ClusterService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;

/** The cluster as this node sees it. */
@Path("/cluster")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class ClusterResource {
  @Inject private ClusterService clusters;

  /** For the container; JAX-RS injects fields only. */
  public ClusterResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public ClusterResource(ClusterService clusters) {
    this.clusters = clusters;
  }

  /** Tells how the nodes share the groups. */
  @GET
  public Response cluster(@Context HttpServletRequest http) {
    new Query(http, Set.of()).end();
    return Answers.ok(ClusterResponse.of(clusters.state(Callers.of(http))));
  }
}
