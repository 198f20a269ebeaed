package org.svcmailbox.undertow.intake;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts places by address. For IPv6 it uses the first 64 bits, because clients can choose the
 * rest.
 */
final class Addresses {
  private static final int IPV6_PREFIX = 8;

  private final ConcurrentHashMap<String, Integer> taken = new ConcurrentHashMap<>();

  /** The part of an address that a client cannot choose. */
  static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    int length = address instanceof Inet6Address ? IPV6_PREFIX : bytes.length;
    return HexFormat.of().formatHex(bytes, 0, length);
  }

  /** Takes one more place, unless the address has the most it may have. */
  boolean enter(InetAddress address, int most) {
    String network = network(address);
    boolean isIn = false;
    while (!isIn) {
      Integer now = taken.get(network);
      int before = now == null ? 0 : now;
      if (before >= most) {
        return false;
      }
      isIn =
          now == null
              ? taken.putIfAbsent(network, 1) == null
              : taken.replace(network, now, before + 1);
    }
    return true;
  }

  /** Returns one place. */
  void leave(InetAddress address) {
    taken.computeIfPresent(network(address), (same, now) -> now == 1 ? null : now - 1);
  }
}
