package org.svcmailbox.web.capability;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.settings.MailboxSettings;

/** Authenticates requests by their capability. */
@Singleton
public final class Authentication {
  private static final String AUTHORIZATION = "Authorization";
  private static final String FORWARDED = "X-Forwarded-For";

  private final CapabilityService capabilities;
  private final ClientAddress addresses;

  @Inject
  public Authentication(CapabilityService capabilities, MailboxSettings settings) {
    this.capabilities = capabilities;
    this.addresses = new ClientAddress(settings.intake().proxies());
  }

  /**
   * Returns the caller of a request.
   *
   * @throws org.svcmailbox.core.capability.DeniedException without a valid capability
   */
  public Caller caller(HttpServletRequest http) {
    String token = BearerToken.of(http.getHeader(AUTHORIZATION));
    return capabilities.authenticate(
        token, addresses.of(http.getRemoteAddr(), http.getHeader(FORWARDED)));
  }
}
