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
 * Lets nobody in without a capability, whatever the path: before it is known whether there is such
 * a path, and before the body is looked at. What the caller may do is asked further in.
 */
@Provider
@PreMatching
@Priority(Priorities.AUTHENTICATION)
@Singleton
public final class CapabilityFilter implements ContainerRequestFilter {
  // Fields, because RESTEasy insists on constructing a provider without arguments.
  @Inject private Authentication authentication;
  @Context private HttpServletRequest http;

  public CapabilityFilter() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public CapabilityFilter(Authentication authentication) {
    this.authentication = authentication;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    Callers.set(http, authentication.caller(http));
  }
}
