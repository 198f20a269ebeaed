package org.svcmailbox.web.json;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import org.svcmailbox.core.problem.FrameTooLargeException;

/** Refuses a body by its declared length, before reading it. */
@Provider
@PreMatching
@Singleton
public final class BodyLimitFilter implements ContainerRequestFilter {
  // A field, because RESTEasy constructs providers without arguments.
  @Inject private BodyLimit limit;

  public BodyLimitFilter() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public BodyLimitFilter(BodyLimit limit) {
    this.limit = limit;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String declared = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    if (Body.declaredLength(declared) > limit.bytes()) {
      throw new FrameTooLargeException("the body", limit.bytes());
    }
  }
}
