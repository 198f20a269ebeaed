package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a call really comes from. Each proxy adds to {@code X-Forwarded-For} whom it was called by;
 * what the nearest one says is believed if that proxy is trusted, and so on.
 */
public final class ClientAddress {
  private final List<IpRange> proxies;

  /**
   * @param proxies whose word is believed
   */
  public ClientAddress(List<IpRange> proxies) {
    this.proxies = proxies;
  }

  /**
   * The client's address.
   *
   * @param peer who connected, as a literal address
   * @param forwarded the {@code X-Forwarded-For} header, null when there is none
   */
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

  /** Whether it is a proxy whose word is believed. */
  public boolean isTrusted(InetAddress address) {
    return proxies.stream().anyMatch(range -> range.contains(address));
  }
}
