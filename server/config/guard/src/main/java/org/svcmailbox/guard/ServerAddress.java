package org.svcmailbox.guard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.jboss.as.server.CurrentServiceContainer;
import org.jboss.msc.service.ServiceController;
import org.jboss.msc.service.ServiceName;

/** The URL of the server's own listener. */
final class ServerAddress {
  private static final ServiceName BINDINGS =
      ServiceName.parse("org.wildfly.network.socket-binding");

  /** A server with TLS has no HTTP listener, and one without has no socket binding for HTTPS. */
  private static final List<String> SCHEMES = List.of("https", "http");

  private ServerAddress() {}

  static Optional<String> find() {
    return SCHEMES.stream()
        .flatMap(scheme -> bound(scheme).map(address -> url(scheme, address)).stream())
        .findFirst();
  }

  @SuppressWarnings(
      "deprecation") // Only this deprecated call finds a service without depending on it.
  private static Optional<InetSocketAddress> bound(String name) {
    ServiceController<?> service =
        CurrentServiceContainer.getServiceContainer().getService(BINDINGS.append(name));
    if (service == null || service.getState() != ServiceController.State.UP) {
      return Optional.empty();
    }
    try {
      Object binding = service.getValue();
      return Optional.of(
          (InetSocketAddress) binding.getClass().getMethod("getSocketAddress").invoke(binding));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a socket binding of another WildFly", e);
    }
  }

  static String url(String scheme, InetSocketAddress bound) {
    InetAddress address = bound.getAddress();
    String text = address.getHostAddress();
    String literal = text.contains(":") ? "[" + text + "]" : text;
    return scheme
        + "://"
        + (address.isAnyLocalAddress() ? "localhost" : literal)
        + ":"
        + bound.getPort();
  }
}
