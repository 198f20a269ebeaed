package org.svcmailbox.web.state;

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
import org.svcmailbox.core.condition.StateService;
import org.svcmailbox.web.answer.Answers;
import org.svcmailbox.web.capability.Callers;
import org.svcmailbox.web.http.Query;

/** The state of the service. */
@Path("/state")
@Singleton
@Produces(MediaType.APPLICATION_JSON)
public final class StateResource {
  @Inject private StateService states;

  /** For the container; JAX-RS injects fields only. */
  public StateResource() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public StateResource(StateService states) {
    this.states = states;
  }

  /** Tells how the service is. */
  @GET
  public Response state(@Context HttpServletRequest http) {
    new Query(http, Set.of()).end();
    return Answers.ok(StateResponse.of(states.state(Callers.of(http))));
  }
}
