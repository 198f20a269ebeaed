package org.svcmailbox.core.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The leading bytes of an address, which its owner cannot choose. */
public final class AddressBlock {
  private static final int CLIENT_V4 = 4;
  private static final int CLIENT_V6 = 8;
  private static final int NETWORK_V4 = 3;
  private static final int NETWORK_V6 = 6;

  private AddressBlock() {}

  /** The block of one client: an IPv4 address, or an IPv6 /64. */
  public static ByteBuffer client(InetAddress address) {
    return first(address, CLIENT_V4, CLIENT_V6);
  }

  /** As above, in hexadecimal digits. */
  public static String clientText(InetAddress address) {
    return HexFormat.of().formatHex(address.getAddress(), 0, length(address, CLIENT_V4, CLIENT_V6));
  }

  /** The block that a provider may give to one customer: a /24, or a /48. */
  public static ByteBuffer network(InetAddress address) {
    return first(address, NETWORK_V4, NETWORK_V6);
  }

  private static ByteBuffer first(InetAddress address, int v4, int v6) {
    return ByteBuffer.wrap(address.getAddress(), 0, length(address, v4, v6));
  }

  private static int length(InetAddress address, int v4, int v6) {
    return address instanceof Inet6Address ? v6 : v4;
  }
}
