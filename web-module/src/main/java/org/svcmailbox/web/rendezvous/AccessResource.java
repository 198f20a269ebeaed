package org.svcmailbox.web.rendezvous;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;

/** Address lists and rate limits of the rendezvous door. */
@Path("/rendezvous/access")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class AccessResource {
  @Inject private RendezvousAdmin rendezvous;

  /** For the container; JAX-RS injects fields only. */
  public AccessResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public AccessResource(RendezvousAdmin rendezvous) {
    this.rendezvous = rendezvous;
  }

  @GET
  public Response get(@Context HttpServletRequest http) {
    return Answers.ok(AccessResponse.of(rendezvous.access(Callers.of(http))));
  }

  /** Replaces all rules. */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public Response put(PutAccessRequest body, @Context HttpServletRequest http) {
    AccessRules rules = body.checked();
    rendezvous.setAccess(Callers.of(http), rules);
    return Answers.ok(AccessResponse.of(rules));
  }
}
