package org.svcmailbox.console.session;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.ClientAddress;

/** The parts of an HTTP request that identify its sender. */
public final class ConsoleRequest {
  private static final String COOKIE = "mailbox_console";

  /** Browsers accept and send a cookie with this prefix over TLS only. */
  private static final String SECURE = "__Secure-";

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]+");
  private static final String PATH = "/console";
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  private final HttpServletRequest http;
  private final ClientAddress addresses;

  ConsoleRequest(HttpServletRequest http, ClientAddress addresses) {
    this.http = http;
    this.addresses = addresses;
  }

  /** The client's address; null if unknown. */
  public @Nullable InetAddress address() {
    return addresses.of(http.getRemoteAddr(), http.getHeader("X-Forwarded-For"));
  }

  /** Whether the client connected by TLS, to this server or to a trusted proxy. */
  public boolean isSecure() {
    boolean isProxied =
        IpRange.address(http.getRemoteAddr()).filter(addresses::isTrusted).isPresent();
    return http.isSecure() || (isProxied && "https".equals(http.getHeader("X-Forwarded-Proto")));
  }

  /** Scheme, host and port that the client used; {@code localhost} if its header is invalid. */
  public String origin() {
    String host = host();
    return (isSecure() ? "https://" : "http://")
        + (HOST.matcher(host).matches() ? host : "localhost");
  }

  /** The Host header, or its parts: Open Liberty has no such header over HTTP/2. */
  private String host() {
    String header = http.getHeader("Host");
    if (header != null) {
      return header;
    }
    int port = http.getServerPort();
    return http.getServerName() + (port == (isSecure() ? HTTPS : HTTP) ? "" : ":" + port);
  }

  /**
   * Whether the request comes from a page of this origin, according to the browser's headers.
   * Protects the sign-in form from login CSRF.
   */
  public boolean isSameOrigin() {
    String site = http.getHeader("Sec-Fetch-Site");
    String origin = http.getHeader("Origin");
    return (site == null || site.equals("same-origin") || site.equals("none"))
        && (origin == null || site != null || origin.equals(origin()));
  }

  /** The token of the live session, if any. */
  Optional<String> token(Sessions sessions) {
    return cookies(COOKIE).filter(token -> sessions.user(token).isPresent()).findFirst();
  }

  private Stream<String> cookies(String name) {
    String full = isSecure() ? SECURE + name : name;
    Cookie[] cookies = http.getCookies();
    return cookies == null
        ? Stream.empty()
        : Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(full))
            .map(Cookie::getValue);
  }

  /** The value of a cookie. */
  public Optional<String> cookie(String name) {
    return cookies(name).findFirst();
  }

  /** Sets the session cookie. */
  void setToken(String token, HttpServletResponse response) {
    setCookie(response, COOKIE, token, "Strict", PATH);
  }

  /** Deletes the session cookie. */
  void deleteToken(HttpServletResponse response) {
    setCookie(response, COOKIE, "; Max-Age=0", "Strict", PATH);
  }

  /**
   * Sets a cookie that scripts cannot read, under another name over TLS.
   *
   * @param value the value, optionally followed by attributes
   * @param sameSite {@code Strict} or {@code Lax}
   */
  public void setCookie(
      HttpServletResponse response, String name, String value, String sameSite, String path) {
    String cookie = name + "=" + value + "; Path=" + path + "; HttpOnly; SameSite=" + sameSite;
    response.addHeader("Set-Cookie", isSecure() ? SECURE + cookie + "; Secure" : cookie);
  }
}
