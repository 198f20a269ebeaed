package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Neighbouring IP addresses, as CIDR writes them. An IPv4 address and its form in IPv6 are one.
 *
 * @param address the first one; its bits after the prefix are zero
 * @param prefix how many bits all of them share
 */
public record IpRange(InetAddress address, int prefix) {
  // A literal, so that no name is ever looked up: IPv6 has a colon, IPv4 four numbers.
  private static final Pattern FORM =
      Pattern.compile(
          "((?:[0-9]{1,3}\\.){3}[0-9]{1,3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)/([0-9]{1,3})");

  /** Reads {@code 10.0.0.0/8} or {@code 2001:db8::/32}; empty when it is neither. */
  static Optional<IpRange> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(form.group(1));
      int prefix = Integer.parseInt(form.group(2));
      byte[] bytes = address.getAddress();
      boolean isRange =
          prefix <= bytes.length * Byte.SIZE && Arrays.equals(bytes, masked(bytes, prefix));
      return isRange ? Optional.of(new IpRange(address, prefix)) : Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** Whether {@code client} is one of them. */
  boolean contains(InetAddress client) {
    byte[] bytes = client.getAddress();
    byte[] first = address.getAddress();
    return bytes.length == first.length && Arrays.equals(first, masked(bytes, prefix));
  }

  private static byte[] masked(byte[] address, int prefix) {
    byte[] masked = new byte[address.length];
    for (int i = 0; i < address.length; i++) {
      int bits = Math.max(0, Math.min(Byte.SIZE, prefix - i * Byte.SIZE));
      masked[i] = (byte) (address[i] & (0xff << (Byte.SIZE - bits)));
    }
    return masked;
  }
}
