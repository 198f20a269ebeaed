package org.svcmailbox.console.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.ClientAddress;

/** Identification of a request's sender, directly or through a proxy. */
class ConsoleRequestTest {
  private static final String PROXY = "10.0.0.1";
  private static final ClientAddress ADDRESSES =
      new ClientAddress(List.of(IpRange.parse("10.0.0.0/8").orElseThrow()));

  private final Map<String, String> headers = new HashMap<>(Map.of("Host", "mailbox.example"));
  private boolean isTls;
  private int port;
  private Cookie[] cookies = new Cookie[0];

  private ConsoleRequest request(String peer) {
    HttpServletRequest http =
        (HttpServletRequest)
            Proxy.newProxyInstance(
                ConsoleRequestTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "getHeader" -> headers.get(String.valueOf(arguments[0]));
                      case "getRemoteAddr" -> peer;
                      case "isSecure" -> isTls;
                      case "getCookies" -> cookies;
                      case "getServerName" -> "mailbox.example";
                      case "getServerPort" -> port;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return new ConsoleRequest(http, ADDRESSES);
  }

  @Test
  void tlsOfATrustedProxyCounts() {
    headers.put("X-Forwarded-Proto", "https");
    assertTrue(request(PROXY).isSecure());
    assertEquals("https://mailbox.example", request(PROXY).origin());
    assertFalse(request("192.0.2.7").isSecure(), "not a trusted proxy");
    headers.put("X-Forwarded-Proto", "http");
    assertFalse(request(PROXY).isSecure());
  }

  /** The Set-Cookie headers of a response. */
  private static List<String> set(ConsoleRequest request) {
    List<String> set = new ArrayList<>();
    HttpServletResponse response =
        (HttpServletResponse)
            Proxy.newProxyInstance(
                ConsoleRequestTest.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                  assertEquals("addHeader Set-Cookie", method.getName() + " " + arguments[0]);
                  return set.add(String.valueOf(arguments[1])) ? null : proxy;
                });
    request.setCookie(response, "name", "value", "Strict", "/console");
    return set;
  }

  @Test
  void overTlsACookieHasAnotherNameThatBrowsersKeepFromPlainHttp() {
    cookies = new Cookie[] {new Cookie("name", "injected"), new Cookie("__Secure-name", "genuine")};
    assertEquals(
        List.of("name=value; Path=/console; HttpOnly; SameSite=Strict"), set(request(PROXY)));
    assertEquals(Optional.of("injected"), request(PROXY).cookie("name"));
    headers.put("X-Forwarded-Proto", "https");
    assertEquals(
        List.of("__Secure-name=value; Path=/console; HttpOnly; SameSite=Strict; Secure"),
        set(request(PROXY)));
    assertEquals(Optional.of("genuine"), request(PROXY).cookie("name"));
    cookies = new Cookie[] {new Cookie("name", "injected")};
    assertEquals(Optional.empty(), request(PROXY).cookie("name"));
  }

  @Test
  void directTlsIgnoresTheProxyHeader() {
    isTls = true;
    headers.put("X-Forwarded-Proto", "http");
    assertTrue(request("192.0.2.7").isSecure());
  }

  @ParameterizedTest
  @CsvSource({
    "true, 443, https://mailbox.example",
    "true, 8443, https://mailbox.example:8443",
    "false, 80, http://mailbox.example",
    "false, 443, http://mailbox.example:443"
  })
  void withoutAHostHeaderItsPartsAreTheOrigin(boolean tls, int to, String origin) {
    headers.remove("Host");
    isTls = tls;
    port = to;
    assertEquals(origin, request("192.0.2.7").origin());
  }

  @ParameterizedTest
  @CsvSource({
    "http://mailbox.example, , true",
    "https://mailbox.example, , false",
    "http://evil.example, , false",
    "null, , false",
    ", same-origin, true",
    ", none, true",
    ", cross-site, false",
    ", same-site, false",
    "http://evil.example, cross-site, false"
  })
  void aFormIsSameOriginByTheBrowsersHeaders(String origin, String site, boolean expected) {
    headers.put("Origin", origin);
    headers.put("Sec-Fetch-Site", site);
    assertEquals(expected, request("192.0.2.7").isSameOrigin());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a/b", "a\"b", "a?b", "user@evil"})
  void anInvalidHostIsNotEchoed(String host) {
    headers.put("Host", host);
    assertEquals("http://localhost", request("192.0.2.7").origin());
  }
}
