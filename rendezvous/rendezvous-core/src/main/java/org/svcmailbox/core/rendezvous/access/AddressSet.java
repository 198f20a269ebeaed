package org.svcmailbox.core.rendezvous.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;

/** Address ranges, indexed so that a lookup costs one probe for each prefix length. Immutable. */
final class AddressSet {
  private record Shape(int addressBytes, int prefix) {}

  private final Map<Shape, Set<InetAddress>> ranges = new HashMap<>();

  AddressSet(List<IpRange> ranges) {
    for (IpRange range : ranges) {
      Shape shape = new Shape(range.address().getAddress().length, range.prefix());
      this.ranges.computeIfAbsent(shape, key -> new HashSet<>()).add(range.address());
    }
  }

  /** False for an unknown address. */
  boolean contains(@Nullable InetAddress address) {
    return address != null
        && ranges.entrySet().stream()
            .filter(entry -> entry.getKey().addressBytes() == address.getAddress().length)
            .anyMatch(entry -> entry.getValue().contains(cut(address, entry.getKey().prefix())));
  }

  static InetAddress cut(InetAddress address, int prefix) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int bits = Math.max(0, Math.min(Byte.SIZE, prefix - i * Byte.SIZE));
      bytes[i] = (byte) (bytes[i] & (0xff << (Byte.SIZE - bits)));
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of the same length", e);
    }
  }
}
