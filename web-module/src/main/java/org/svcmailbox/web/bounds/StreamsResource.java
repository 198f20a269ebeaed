package org.svcmailbox.web.bounds;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;

/** The open streams with their clients. */
@Path("/streams")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class StreamsResource {
  @Inject private HoldingService holdings;

  /** For the container; JAX-RS injects fields only. */
  public StreamsResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public StreamsResource(HoldingService holdings) {
    this.holdings = holdings;
  }

  /** Lists the oldest open streams. */
  @GET
  public Response list(@Context HttpServletRequest http) {
    return Answers.ok(StreamsResponse.of(holdings.streams(Callers.of(http))));
  }
}
