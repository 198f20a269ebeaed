package org.svcmailbox.web.capability;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.settings.MailboxSettings;

/** Authenticates requests by their capability. */
@Singleton
public final class Authentication {
  private static final String AUTHORIZATION = "Authorization";
  private static final String SCHEME = "Bearer ";
  private static final String FORWARDED = "X-Forwarded-For";

  private final CapabilityService capabilities;
  private final ClientAddress addresses;

  @Inject
  public Authentication(CapabilityService capabilities, MailboxSettings settings) {
    this.capabilities = capabilities;
    this.addresses = new ClientAddress(settings.intake().proxies());
  }

  /**
   * Whether a request certainly comes from one of these ranges. One through an untrusted proxy does
   * not, whatever its address.
   */
  public boolean isFrom(List<IpRange> ranges, HttpServletRequest http) {
    InetAddress client = address(http);
    return client != null
        && ranges.stream().anyMatch(range -> range.contains(client))
        && (!isForwarded(http) || isOfTrustedProxy(http));
  }

  private static boolean isForwarded(HttpServletRequest http) {
    return http.getHeader(FORWARDED) != null || http.getHeader("Forwarded") != null;
  }

  private boolean isOfTrustedProxy(HttpServletRequest http) {
    return IpRange.address(http.getRemoteAddr()).filter(addresses::isTrusted).isPresent();
  }

  private @Nullable InetAddress address(HttpServletRequest http) {
    return addresses.of(http.getRemoteAddr(), http.getHeader(FORWARDED));
  }

  /**
   * Returns the caller of a request.
   *
   * @throws org.svcmailbox.core.capability.DeniedException if it has no valid capability
   */
  public Caller caller(HttpServletRequest http) {
    String token = bearerToken(http.getHeader(AUTHORIZATION));
    return capabilities.authenticate(token, address(http));
  }

  /** The token of an {@code Authorization} header (RFC 6750); null if the header has none. */
  public static @Nullable String bearerToken(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? header.substring(SCHEME.length()).strip()
        : null;
  }
}
