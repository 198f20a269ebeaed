package org.svcmailbox.bench.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A request split at the keys of its messages; each character is a byte.
 *
 * @param parts the text around the keys
 */
public record HttpTemplate(List<String> parts) {
  /** Placeholder for a key in a body, as long as every key. */
  public static final String KEY = "############";

  public HttpTemplate {
    parts = List.copyOf(parts);
  }

  /**
   * Builds a template.
   *
   * @param target method and path
   * @param headers lines with their CRLF
   * @param body text with {@link #KEY} in place of keys
   */
  static HttpTemplate of(URI server, String target, String headers, String body) {
    String request = head(server, target, headers) + body.length() + "\r\n\r\n" + body;
    return new HttpTemplate(List.of(request.split(Pattern.quote(KEY), -1)));
  }

  /** A request up to and excluding the value of Content-Length. */
  static String head(URI server, String target, String headers) {
    return target
        + " HTTP/1.1\r\nHost: "
        + server.getAuthority()
        + "\r\n"
        + headers
        + "Content-Length: ";
  }

  /** The request with these keys, of twelve characters each. */
  public byte[] bytes(Supplier<String> keys) {
    List<String> pieces = new ArrayList<>();
    for (String part : parts) {
      if (!pieces.isEmpty()) {
        pieces.add(keys.get());
      }
      pieces.add(part);
    }
    return String.join("", pieces).getBytes(StandardCharsets.ISO_8859_1);
  }
}
