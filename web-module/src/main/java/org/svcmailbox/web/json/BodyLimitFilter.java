package org.svcmailbox.web.json;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import org.svcmailbox.core.problem.FrameTooLargeException;

/** Refuses a body that says itself that it is too large, before a byte of it is read. */
@Provider
@PreMatching
@Singleton
public final class BodyLimitFilter implements ContainerRequestFilter {
  // A field, because RESTEasy insists on constructing a provider without arguments.
  @Inject private BodyLimit limit;

  public BodyLimitFilter() {}

  /** As the container makes it, with a limit given. */
  @SuppressWarnings("UnnecessaryAssignment")
  public BodyLimitFilter(BodyLimit limit) {
    this.limit = limit;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String declared = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    if (DeclaredLength.of(declared) > limit.bytes()) {
      throw new FrameTooLargeException("the body", limit.bytes());
    }
  }
}
