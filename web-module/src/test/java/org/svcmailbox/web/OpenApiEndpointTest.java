package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenApiEndpointTest {
  @ParameterizedTest
  @ValueSource(strings = {"*/*", "application/yaml", "application/json", "text/html"})
  void theDocumentIsServedByteForByte(String accept) throws Exception {
    try (TestServer server = TestServer.open();
        InputStream in = getClass().getResourceAsStream("/META-INF/openapi.yaml")) {
      URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + "/openapi");
      HttpResponse<byte[]> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(uri).header("Accept", accept).build(),
                  HttpResponse.BodyHandlers.ofByteArray());
      assertEquals(200, answer.statusCode());
      assertEquals("application/yaml", answer.headers().firstValue("Content-Type").orElse(""));
      assertEquals("nosniff", answer.headers().firstValue("X-Content-Type-Options").orElse(""));
      assertArrayEquals(Objects.requireNonNull(in).readAllBytes(), answer.body());
    }
  }
}
