package org.svcmailbox.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;

/** A client of the endpoints. */
final class HttpCalls {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient client;
  private final URI base;

  private HttpCalls(TestServer server, Version version) {
    this.client = HttpClient.newBuilder().version(version).build();
    this.base = URI.create("http://127.0.0.1:" + server.address().getPort());
  }

  static HttpCalls to(TestServer server) {
    return new HttpCalls(server, Version.HTTP_1_1);
  }

  static HttpCalls http2To(TestServer server) {
    return new HttpCalls(server, Version.HTTP_2);
  }

  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() throws IOException {
      return JSON.readTree(response.body());
    }

    /** The fields that a problem names. */
    List<String> fields() throws IOException {
      return StreamSupport.stream(json().path("errors").spliterator(), false)
          .map(error -> error.path("field").asText())
          .toList();
    }
  }

  CompletableFuture<HttpResponse<String>> begin(String path, String body) {
    return begin(request("POST", path, BodyPublishers.ofString(body)));
  }

  CompletableFuture<HttpResponse<String>> begin(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  Answer post(String path, String body) throws IOException, InterruptedException {
    return call(request("POST", path, BodyPublishers.ofString(body)));
  }

  Answer call(String method, String path) throws IOException, InterruptedException {
    return call(request(method, path, BodyPublishers.noBody()));
  }

  Answer put(String path, String body) throws IOException, InterruptedException {
    return call(request("PUT", path, BodyPublishers.ofString(body)));
  }

  Answer patch(String path, String body) throws IOException, InterruptedException {
    return call(request("PATCH", path, BodyPublishers.ofString(body)));
  }

  HttpRequest.Builder request(String method, String path, BodyPublisher body) {
    return HttpRequest.newBuilder(base.resolve(path))
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .method(method, body);
  }

  Answer call(HttpRequest.Builder request) throws IOException, InterruptedException {
    return new Answer(client.send(request.build(), BodyHandlers.ofString()));
  }
}
