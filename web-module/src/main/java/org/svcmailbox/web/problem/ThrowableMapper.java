package org.svcmailbox.web.problem;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** The one mapper: whatever a resource or JAX-RS itself throws goes through the funnel. */
@Provider
@Singleton
public final class ThrowableMapper implements ExceptionMapper<Throwable> {
  @Context private UriInfo uri;
  @Context private Request request;

  @Override
  public Response toResponse(Throwable thrown) {
    Call call = new Call(request.getMethod(), uri.getRequestUri().getRawPath());
    return ProblemResponse.of(Funnel.thrown(thrown, call), call);
  }
}
