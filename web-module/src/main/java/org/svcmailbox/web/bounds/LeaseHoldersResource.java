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

/** The holders of leases. */
@Path("/leases")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class LeaseHoldersResource {
  @Inject private HoldingService holdings;

  /** For the container; JAX-RS injects fields only. */
  public LeaseHoldersResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public LeaseHoldersResource(HoldingService holdings) {
    this.holdings = holdings;
  }

  /** Lists those with most leases. */
  @GET
  public Response list(@Context HttpServletRequest http) {
    return Answers.ok(LeaseHoldersResponse.of(holdings.leaseHolders(Callers.of(http))));
  }
}
