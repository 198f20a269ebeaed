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

/** The shared bounds with their holders. */
@Path("/bounds")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class BoundsResource {
  @Inject private HoldingService holdings;

  /** For the container; JAX-RS injects fields only. */
  public BoundsResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public BoundsResource(HoldingService holdings) {
    this.holdings = holdings;
  }

  /** Lists the bounds with their largest holders. */
  @GET
  public Response list(@Context HttpServletRequest http) {
    return Answers.ok(new BoundsResponse(holdings.holdings(Callers.of(http))));
  }
}
