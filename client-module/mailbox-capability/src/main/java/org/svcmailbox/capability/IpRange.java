package org.svcmailbox.capability;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A CIDR range; bits of {@code address} after the prefix are zero. IPv4 equals IPv6-mapped. */
public record IpRange(InetAddress address, int prefix) {
  // A literal that needs no name lookup: IPv6 has a colon, IPv4 four numbers.
  private static final String ADDRESS =
      "(?:[0-9]{1,3}\\.){3}[0-9]{1,3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*";
  private static final Pattern LITERAL = Pattern.compile(ADDRESS);
  private static final Pattern FORM = Pattern.compile("(" + ADDRESS + ")/([0-9]{1,3})");

  /** Reads {@code 10.0.0.0/8} or {@code 2001:db8::/32}; empty for anything else. */
  public static Optional<IpRange> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? address(form.group(1)).flatMap(first -> of(first, Integer.parseInt(form.group(2))))
        : Optional.empty();
  }

  private static Optional<IpRange> of(InetAddress first, int prefix) {
    byte[] bytes = first.getAddress();
    boolean isRange =
        prefix <= bytes.length * Byte.SIZE && Arrays.equals(bytes, masked(bytes, prefix));
    return isRange ? Optional.of(new IpRange(first, prefix)) : Optional.empty();
  }

  /** Reads a literal address; empty for anything else. */
  public static Optional<InetAddress> address(String text) {
    if (!LITERAL.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(text));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  public boolean contains(InetAddress client) {
    byte[] bytes = client.getAddress();
    byte[] first = address.getAddress();
    return bytes.length == first.length && Arrays.equals(first, masked(bytes, prefix));
  }

  public String text() {
    return address.getHostAddress() + "/" + prefix;
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
