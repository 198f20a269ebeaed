package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;

/**
 * Finds a client's real address. Each proxy appends its peer to {@code X-Forwarded-For}. Entries
 * are trusted from the nearest one back, as long as a trusted proxy wrote them.
 */
public final class ClientAddress {
  private final List<IpRange> proxies;

  public ClientAddress(List<IpRange> proxies) {
    this.proxies = proxies;
  }

  /** Takes the literal address of the peer and the {@code X-Forwarded-For} header, if any. */
  public @Nullable InetAddress of(String peer, @Nullable String forwarded) {
    Optional<InetAddress> address = IpRange.address(peer);
    if (forwarded == null || proxies.isEmpty()) {
      return address.orElse(null);
    }
    String[] hops = forwarded.split(",", -1);
    int next = hops.length - 1;
    while (next >= 0 && address.filter(this::isTrusted).isPresent()) {
      Optional<InetAddress> said = IpRange.address(hops[next].strip());
      if (said.isEmpty()) {
        break;
      }
      address = said;
      next--;
    }
    return address.orElse(null);
  }

  public boolean isTrusted(InetAddress address) {
    return proxies.stream().anyMatch(range -> range.contains(address));
  }
}
