package org.svcmailbox.bench;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A request but for the keys of its messages. Characters are bytes.
 *
 * @param parts what is around the keys
 */
record HttpTemplate(List<String> parts) {
  /** Where a key goes, in a body; as long as each of them. */
  static final String KEY = "############";

  HttpTemplate {
    parts = List.copyOf(parts);
  }

  /**
   * A request with a body.
   *
   * @param target the method and the path
   * @param headers lines, each with its end
   * @param body with {@link #KEY} where keys go
   */
  static HttpTemplate of(URI server, String target, String headers, String body) {
    String request = head(server, target, headers) + body.length() + "\r\n\r\n" + body;
    return new HttpTemplate(List.of(request.split(Pattern.quote(KEY), -1)));
  }

  /** A request up to the length of its body. */
  static String head(URI server, String target, String headers) {
    return target
        + " HTTP/1.1\r\nHost: "
        + server.getAuthority()
        + "\r\n"
        + headers
        + "Content-Length: ";
  }

  /** The request with keys of twelve characters. */
  byte[] bytes(Supplier<String> keys) {
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
