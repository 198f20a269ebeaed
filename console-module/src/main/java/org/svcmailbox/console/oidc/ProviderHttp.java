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

/** Asks the provider, on the caller's thread and not for long. */
final class ProviderHttp {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int MOST_BYTES = 512 * 1024;
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  private ProviderHttp() {}

  /** What is at an address. */
  static JsonNode get(URI address) throws ProviderException {
    return ask(address, null, null);
  }

  /** What it answers to a form. */
  static JsonNode post(URI address, Map<String, String> form, @Nullable String authorization)
      throws ProviderException {
    return ask(address, form(form), authorization);
  }

  /** Reads JSON that came from elsewhere. */
  static JsonNode json(byte[] bytes) throws ProviderException {
    try {
      return JSON.readTree(bytes);
    } catch (IOException e) {
      throw new ProviderException("what the provider says is no JSON", e);
    }
  }

  /** Names and values as forms and queries have them. */
  static String form(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static JsonNode ask(URI address, @Nullable String form, @Nullable String authorization)
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
        return answer(connection, address);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new ProviderException(address + " cannot be asked", e);
    }
  }

  private static void send(HttpURLConnection connection, String form) throws IOException {
    connection.setDoOutput(true);
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
    connection.getOutputStream().write(form.getBytes(StandardCharsets.US_ASCII));
  }

  private static JsonNode answer(HttpURLConnection connection, URI address)
      throws IOException, ProviderException {
    int status = connection.getResponseCode();
    if (status != HttpURLConnection.HTTP_OK) {
      throw new ProviderException(address + " answers " + status);
    }
    try (InputStream content = connection.getInputStream()) {
      byte[] bytes = content.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new ProviderException(address + " answers too much");
      }
      return json(bytes);
    }
  }
}
