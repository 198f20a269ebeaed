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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.plain.Plain;

/**
 * Lets nobody in without a capability, whatever the path: before it is known whether there is such
 * a path, and before the body is looked at. What the caller may do is asked further in.
 */
@Provider
@PreMatching
@Priority(Priorities.AUTHENTICATION)
@Singleton
public final class CapabilityFilter implements ContainerRequestFilter {
  private static final String FORWARDED = "X-Forwarded-For";

  // Fields, because RESTEasy insists on constructing a provider without arguments.
  @Inject @Plain private CapabilityService capabilities;
  @Inject private MailboxSettings settings;
  @Context private HttpServletRequest http;
  private volatile @Nullable ClientAddress addresses;

  public CapabilityFilter() {}

  /** With what the container would give. */
  @SuppressWarnings("UnnecessaryAssignment")
  public CapabilityFilter(CapabilityService capabilities, MailboxSettings settings) {
    this.capabilities = capabilities;
    this.settings = settings;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String token = BearerToken.of(request.getHeaderString(HttpHeaders.AUTHORIZATION));
    Caller caller =
        capabilities.authenticate(
            token, addresses().of(http.getRemoteAddr(), request.getHeaderString(FORWARDED)));
    Callers.set(http, caller);
  }

  private ClientAddress addresses() {
    ClientAddress known = addresses;
    if (known == null) {
      known = new ClientAddress(settings.intake().proxies());
      addresses = known;
    }
    return known;
  }
}
