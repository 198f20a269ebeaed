package org.svcmailbox.grpc.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the gRPC server's address: that of HTTP, with a port of its own. */
public final class ListenAddress {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String EVERY = "0.0.0.0";
  private static final int MAX_PORT = 65_535;

  private ListenAddress() {}

  /**
   * Reads the address in the way that the server reads that of HTTP.
   *
   * @param port the port without the offset
   * @param isTls decides if no address is set: TLS listens on all addresses, plain text on loopback
   * @param property returns a system property, null if absent; these take precedence
   * @param variable returns an environment variable, null if absent
   * @throws IllegalStateException if the result is not an address
   */
  public static InetSocketAddress of(
      int port,
      boolean isTls,
      Function<String, @Nullable String> property,
      Function<String, @Nullable String> variable) {
    String offset =
        first(property.apply("jboss.socket.binding.port-offset"), variable, "MAILBOX_PORT_OFFSET");
    String host = first(property.apply("jboss.bind.address"), variable, "MAILBOX_BIND");
    return new InetSocketAddress(address(host, isTls), port(port, offset));
  }

  private static @Nullable String first(
      @Nullable String property, Function<String, @Nullable String> variable, String name) {
    String value = property != null ? property : variable.apply(name);
    return value == null || value.isEmpty() ? null : value;
  }

  private static int port(int port, @Nullable String offset) {
    try {
      int sum = port + (offset == null ? 0 : Integer.parseInt(offset));
      if (sum >= 1 && sum <= MAX_PORT) {
        return sum;
      }
    } catch (NumberFormatException e) {
      throw new IllegalStateException("MAILBOX_PORT_OFFSET must be a number", e);
    }
    throw new IllegalStateException(
        "mailbox.grpc.port and MAILBOX_PORT_OFFSET together must be 1 to " + MAX_PORT);
  }

  private static InetAddress address(@Nullable String host, boolean isTls) {
    String byDefault = isTls ? EVERY : LOOPBACK;
    String literal = host == null ? byDefault : host.equals("*") ? EVERY : host;
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("MAILBOX_BIND is no address: " + literal, e);
    }
  }
}
