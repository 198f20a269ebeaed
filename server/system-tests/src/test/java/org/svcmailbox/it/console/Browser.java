package org.svcmailbox.it.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.svcmailbox.it.client.Fields;

/** An HTTP client with cookies and without redirects. */
public final class Browser {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI server;
  private final Map<String, String> cookies = new TreeMap<>();
  private Map<String, String> headers = Map.of();

  public Browser(URI server) {
    this.server = server;
  }

  /** A browser that has just signed in with a password. */
  static Browser signedIn(URI server, String user, String password) throws IOException {
    Browser browser = new Browser(server);
    browser.signIn(user, password).expect(303);
    return browser;
  }

  /** A response. */
  public record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    /** The Set-Cookie headers. */
    List<String> cookies() {
      return response.headers().allValues("Set-Cookie");
    }

    public String text() {
      return response.body();
    }

    /** The reason in a problem. */
    String reason() throws IOException {
      return json().path("reason").asText();
    }

    /** The fields that a problem names. */
    List<String> fields() throws IOException {
      return json().path("errors").findValuesAsText("field");
    }

    public JsonNode json() throws IOException {
      return JSON.readTree(text());
    }

    public Reply expect(int status) {
      if (status() != status) {
        throw new AssertionError(status() + " instead of " + status + ": " + text());
      }
      return this;
    }
  }

  /** Sends these headers from now on. */
  Browser with(Map<String, String> more) {
    headers = Map.copyOf(more);
    return this;
  }

  Map<String, String> cookies() {
    return cookies;
  }

  public Reply get(String path) throws IOException {
    return send(HttpRequest.newBuilder(server.resolve(path)).GET());
  }

  /** Follows a redirect. */
  Reply get(URI address) throws IOException {
    return send(HttpRequest.newBuilder(server.resolve(address)).GET());
  }

  Reply form(String path, Map<String, String> fields) throws IOException {
    return send(filledIn(path, fields));
  }

  private HttpRequest.Builder filledIn(String path, Map<String, String> fields) {
    String body =
        fields.entrySet().stream()
            .map(field -> field.getKey() + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    return HttpRequest.newBuilder(server.resolve(path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(body));
  }

  /** Changes the password as the console's script does. */
  Reply changePassword(String current, String next) throws IOException {
    return send(
        filledIn("/console/session/password", Map.of("current", current, "next", next))
            .header("Mailbox-Console", "1"));
  }

  /** Posts as the console's scripts do. */
  Reply script(String path, String how) throws IOException {
    return send(
        HttpRequest.newBuilder(server.resolve(path))
            .header("Mailbox-Console", how)
            .POST(BodyPublishers.noBody()));
  }

  /** Posts JSON to one of the session's calls, as the console's scripts do. */
  Reply json(String call, Fields fields) throws IOException {
    return json(call, fields.text());
  }

  /** The same with any body. */
  Reply json(String call, String body) throws IOException {
    return send(
        HttpRequest.newBuilder(server.resolve("/console/session/" + call))
            .header("Mailbox-Console", "1")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  /** Posts without the scripts' header. */
  Reply post(String path) throws IOException {
    return send(HttpRequest.newBuilder(server.resolve(path)).POST(BodyPublishers.noBody()));
  }

  public Reply signIn(String user, String password) throws IOException {
    return form("/console/signin", Map.of("user", user, "password", password));
  }

  /** Requests a capability, as on user activity. */
  public Reply capability() throws IOException {
    return script("/console/session/capability", "1");
  }

  private Reply send(HttpRequest.Builder request) throws IOException {
    headers.forEach(request::header);
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
              .collect(Collectors.joining("; ")));
    }
    try {
      Reply reply =
          new Reply(
              http.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString()));
      reply.cookies().stream().map(HttpCookie::parse).flatMap(List::stream).forEach(this::keep);
      return reply;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void keep(HttpCookie cookie) {
    if (cookie.getMaxAge() == 0) {
      cookies.remove(cookie.getName());
    } else {
      cookies.put(cookie.getName(), cookie.getValue());
    }
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
