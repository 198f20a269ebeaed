package org.svcmailbox.client.http;

import java.net.URI;
import java.util.regex.Pattern;
import org.svcmailbox.client.Experimental;

/** The rules for the address of a service, which receives tokens. */
@Experimental
public final class ServiceUri {
  // Only literal addresses: a name that resolves to a loopback address now may not do so later.
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.[0-9.]+|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private ServiceUri() {}

  /**
   * The URI without a trailing slash.
   *
   * @throws IllegalArgumentException if it is not the address of a service
   */
  public static URI base(URI service) {
    String scheme = service.getScheme();
    boolean isHttp = "http".equals(scheme) || "https".equals(scheme);
    if (!isHttp
        || service.getHost() == null
        || service.getRawUserInfo() != null
        || service.getRawQuery() != null
        || service.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "the service's URI is http or https, a host, and perhaps a port and a path");
    }
    return URI.create(service.toString().replaceAll("/+$", ""));
  }

  /**
   * Refuses an address to which a token would travel unprotected.
   *
   * @throws IllegalArgumentException if it is plain HTTP to another machine
   */
  public static void requirePrivate(URI service) {
    if (!isPrivate(service)) {
      throw new IllegalArgumentException(
          "plain HTTP shows the token to the network; use https, or allowPlainHttp()");
    }
  }

  /**
   * Whether tokens sent to this address are protected: by TLS, or because they stay on this
   * machine.
   *
   * @param address with a scheme and a host
   */
  public static boolean isPrivate(URI address) {
    return !address.getScheme().equals("http") || LOOPBACK.matcher(address.getHost()).matches();
  }
}
