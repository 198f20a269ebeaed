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

/** The one mapper: whatever a resource or JAX-RS itself throws goes through the funnel. */
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

  /** A 405 says which methods there are. */
  private static Response withAllowed(Response response, Response original) {
    String allowed = original.getHeaderString(HttpHeaders.ALLOW);
    return allowed == null
        ? response
        : Response.fromResponse(response).header(HttpHeaders.ALLOW, allowed).build();
  }
}
