package org.svcmailbox.web.capability;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.ext.Provider;

/**
 * Refuses requests without a capability before path matching and before the body is read. Services
 * authorize the operation itself.
 */
@Provider
@PreMatching
@Priority(Priorities.AUTHENTICATION)
@Singleton
public final class CapabilityFilter implements ContainerRequestFilter {
  // Fields, because RESTEasy constructs providers without arguments.
  @Inject private Authentication authentication;
  @Context private HttpServletRequest http;

  public CapabilityFilter() {}

  @SuppressWarnings("UnnecessaryAssignment")
  public CapabilityFilter(Authentication authentication) {
    this.authentication = authentication;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Callers.set(http, authentication.caller(http));
  }
}
