package org.svcmailbox.console.oidc;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** HTTP client of the provider. Blocks the caller; timeouts and response size are bounded. */
final class ProviderHttp {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int MAX_BYTES = 512 * 1024;
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  private ProviderHttp() {}

  /** Sends GET and parses the JSON response. */
  static JsonNode get(URI address) throws ProviderException {
    return call(address, null, null);
  }

  /** Posts a form and parses the JSON response. */
  static JsonNode post(URI address, Map<String, String> form, @Nullable String authorization)
      throws ProviderException {
    return call(address, form(form), authorization);
  }

  /** Parses JSON from the provider. */
  static JsonNode json(byte[] bytes) throws ProviderException {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      throw new ProviderException("the provider's response is not JSON", e);
    }
  }

  /** Encodes form fields or query parameters. */
  static String form(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static JsonNode call(URI address, @Nullable String form, @Nullable String authorization)
      throws ProviderException {
    try {
      HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
      try {
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("Accept", "application/json");
        if (authorization != null) {
          connection.setRequestProperty("Authorization", authorization);
        }
        if (form != null) {
          send(connection, form);
        }
        return read(connection, address);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new ProviderException(address + " is unreachable", e);
    }
  }

  private static void send(HttpURLConnection connection, String form) throws IOException {
    connection.setDoOutput(true);
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
    connection.getOutputStream().write(form.getBytes(StandardCharsets.US_ASCII));
  }

  private static JsonNode read(HttpURLConnection connection, URI address)
      throws IOException, ProviderException {
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      throw new ProviderException(address + " responded with status " + status);
    }
    try (InputStream content = connection.getInputStream()) {
      byte[] bytes = content.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new ProviderException(address + " responded with more than " + MAX_BYTES + " bytes");
      }
      return json(bytes);
    }
  }
}
