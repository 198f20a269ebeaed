package org.svcmailbox.web.capability;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.web.unproxied.Unproxied;

/** Who makes a request, by the capability that comes with it. */
@Singleton
public final class Authentication {
  private static final String AUTHORIZATION = "Authorization";
  private static final String FORWARDED = "X-Forwarded-For";

  private final CapabilityService capabilities;
  private final ClientAddress addresses;

  /** With what the container gives. */
  @Inject
  public Authentication(@Unproxied CapabilityService capabilities, MailboxSettings settings) {
    this.capabilities = capabilities;
    this.addresses = new ClientAddress(settings.intake().proxies());
  }

  /**
   * Who makes a request.
   *
   * @throws org.svcmailbox.core.capability.DeniedException when it has no capability of ours
   */
  public Caller caller(HttpServletRequest http) {
    String token = BearerToken.of(http.getHeader(AUTHORIZATION));
    return capabilities.authenticate(
        token, addresses.of(http.getRemoteAddr(), http.getHeader(FORWARDED)));
  }
}
