package org.svcmailbox.client.http;

import java.net.URI;
import java.util.regex.Pattern;

/** The rules for an address that a token is sent to. */
public final class ServiceUri {
  // Written out: a name that resolves to a loopback address today may not do so tomorrow.
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.[0-9.]+|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private ServiceUri() {}

  /**
   * The URI without the slash at its end.
   *
   * @throws IllegalArgumentException if it is not that of a service
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
   * Refuses an address that a token would travel to unprotected.
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
   * Whether a token travels there unseen: by TLS, or not beyond this machine.
   *
   * @param address with a scheme and a host
   */
  public static boolean isPrivate(URI address) {
    return !address.getScheme().equals("http") || LOOPBACK.matcher(address.getHost()).matches();
  }
}
