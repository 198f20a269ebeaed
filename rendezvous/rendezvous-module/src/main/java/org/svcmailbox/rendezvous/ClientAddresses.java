package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.rendezvous.DoorSettings;

/** Resolves client addresses through trusted proxies only. */
final class ClientAddresses {
  private static final String FORWARDED = "Forwarded";
  private static final List<String> FORWARDING = List.of(FORWARDED, "X-Forwarded-For");

  private final ClientAddress proxies;
  private final String header;
  private final List<IpRange> metricsFrom;

  ClientAddresses(DoorSettings settings) {
    this.proxies = new ClientAddress(settings.trustedProxies());
    this.header = settings.forwardedHeader();
    this.metricsFrom = settings.metricsFrom();
  }

  /** Returns the client's address; null when it is unknown. */
  @Nullable InetAddress of(HttpServletRequest http) {
    return proxies.of(http.getRemoteAddr(), forwarded(http));
  }

  private @Nullable String forwarded(HttpServletRequest http) {
    List<String> headers = Collections.list(http.getHeaders(header));
    if (headers.isEmpty()) {
      return null;
    }
    return header.equals(FORWARDED) ? ForwardedHops.of(headers) : String.join(",", headers);
  }

  /**
   * Whether a request may read the metrics. A request through an untrusted proxy may not, because
   * its address is unknown.
   */
  boolean mayReadMetrics(HttpServletRequest http) {
    InetAddress client = of(http);
    return client != null
        && metricsFrom.stream().anyMatch(range -> range.contains(client))
        && (!isForwarded(http) || isTrusted(http));
  }

  private static boolean isForwarded(HttpServletRequest http) {
    return FORWARDING.stream().anyMatch(name -> http.getHeader(name) != null);
  }

  private boolean isTrusted(HttpServletRequest http) {
    return IpRange.address(http.getRemoteAddr()).filter(proxies::isTrusted).isPresent();
  }
}
