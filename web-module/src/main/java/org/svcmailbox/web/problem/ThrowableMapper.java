package org.svcmailbox.web.problem;

import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import org.svcmailbox.web.answer.Answers;

/** The only mapper: sends every exception of resources and JAX-RS through the funnel. */
@Provider
@Singleton
public final class ThrowableMapper implements ExceptionMapper<Throwable> {
  @Context private HttpServletRequest http;

  @Override
  public Response toResponse(Throwable thrown) {
    Call call = Call.of(http);
    Response response = Answers.of(ProblemAnswer.thrown(thrown, call));
    return thrown instanceof WebApplicationException refused
        ? withAllowed(response, refused.getResponse())
        : response;
  }

  /** Adds {@code Allow} to a 405. */
  private static Response withAllowed(Response response, Response original) {
    String allowed = original.getHeaderString(HttpHeaders.ALLOW);
    return allowed == null
        ? response
        : Response.fromResponse(response).header(HttpHeaders.ALLOW, allowed).build();
  }
}
