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
import org.svcmailbox.core.capability.ClientAddress;
import org.svcmailbox.core.capability.IpRange;

/** A browser's request, as far as it says who makes it. */
public final class Visit {
  private static final String COOKIE = "mailbox_console";
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]+");
  private static final String PATH = "/console";

  private final HttpServletRequest http;
  private final ClientAddress addresses;

  Visit(HttpServletRequest http, ClientAddress addresses) {
    this.http = http;
    this.addresses = addresses;
  }

  /** Where the browser is, null when that is not known. */
  public @Nullable InetAddress address() {
    return addresses.of(http.getRemoteAddr(), http.getHeader("X-Forwarded-For"));
  }

  /** Whether the browser reaches us by TLS: here, or at a proxy that is trusted. */
  public boolean isSecure() {
    boolean isProxied =
        IpRange.address(http.getRemoteAddr()).filter(addresses::isTrusted).isPresent();
    return http.isSecure() || (isProxied && "https".equals(http.getHeader("X-Forwarded-Proto")));
  }

  /** How the browser calls us, as far as it says: scheme, name and port. */
  public String origin() {
    String host = http.getHeader("Host");
    return (isSecure() ? "https://" : "http://")
        + (host != null && HOST.matcher(host).matches() ? host : "localhost");
  }

  /**
   * Whether one of our own pages makes the request, as far as the browser tells. A page of another
   * origin could otherwise sign a browser in as somebody of its choice.
   */
  public boolean isOfOurPages() {
    String site = http.getHeader("Sec-Fetch-Site");
    String origin = http.getHeader("Origin");
    return (site == null || site.equals("same-origin") || site.equals("none"))
        && (origin == null || site != null || origin.equals(origin()));
  }

  /** The token of its session, if it has one of those. */
  Optional<String> token(Sessions sessions) {
    return cookies(COOKIE).filter(token -> sessions.of(token).isPresent()).findFirst();
  }

  private Stream<String> cookies(String name) {
    Cookie[] cookies = http.getCookies();
    return cookies == null
        ? Stream.empty()
        : Arrays.stream(cookies)
            .filter(cookie -> cookie.getName().equals(name))
            .map(Cookie::getValue);
  }

  /** A cookie's value, if the browser sent it. */
  public Optional<String> cookie(String name) {
    return cookies(name).findFirst();
  }

  /** Has the browser send this token from now on. */
  void remember(String token, HttpServletResponse response) {
    set(response, COOKIE, token, "Strict", PATH);
  }

  /** Has the browser forget its token. */
  void forget(HttpServletResponse response) {
    set(response, COOKIE, "; Max-Age=0", "Strict", PATH);
  }

  /**
   * Has the browser send a cookie from now on, which no script sees.
   *
   * @param value may have attributes behind it
   * @param sameSite {@code Strict} or {@code Lax}
   */
  public void set(
      HttpServletResponse response, String name, String value, String sameSite, String path) {
    String secure = isSecure() ? "; Secure" : "";
    response.addHeader(
        "Set-Cookie",
        name + "=" + value + "; Path=" + path + "; HttpOnly; SameSite=" + sameSite + secure);
  }
}
