package org.svcmailbox.undertow.intake;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Methods;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The form of a request's target (RFC 9112, 3.2). Only paths are served, alone or after an origin.
 * A path must have one reading: no segments that a proxy would resolve, no control characters, and
 * only UTF-8. Pure.
 */
final class RequestTarget {
  private static final Pattern ORIGIN = Pattern.compile("(?i)https?://[^/?#]+");
  private static final Pattern SEPARATOR = Pattern.compile("(?i)/|\\\\|%2f|%5c");
  private static final Pattern DOT = Pattern.compile("(?i)%2e");
  private static final int HEX = 16;

  private RequestTarget() {}

  /** Whether a request's target can exist on a server. */
  static boolean isGood(HttpServerExchange exchange) {
    return !exchange.getRequestMethod().equals(Methods.CONNECT)
        && isGood(exchange.getRequestURI(), exchange.getQueryString());
  }

  /**
   * Whether a target is acceptable.
   *
   * @param target without the query
   */
  static boolean isGood(String target, String query) {
    String path = target.startsWith("/") ? target : ORIGIN.matcher(target).replaceFirst("");
    boolean hasPath = path.startsWith("/") || (path.isEmpty() && !target.isEmpty());
    return hasPath && !hasDots(path) && isText(path) && isText(query);
  }

  private static boolean hasDots(String path) {
    if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
      return false;
    }
    for (String segment : SEPARATOR.split(path, -1)) {
      int parameters = segment.indexOf(';');
      String name = parameters < 0 ? segment : segment.substring(0, parameters);
      String plain = DOT.matcher(name).replaceAll(".");
      if (plain.equals(".") || plain.equals("..")) {
        return true;
      }
    }
    return false;
  }

  /** Whether any percent-encoding represents text. */
  private static boolean isText(String encoded) {
    if (encoded.indexOf('%') < 0) {
      return true;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      int value = encoded.charAt(i);
      if (value == '%') {
        value = octet(encoded, i + 1);
        i += 2;
        if (value < ' ' || value == 0x7f) {
          return false;
        }
      }
      bytes.write(value);
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** The octet of two hexadecimal digits; negative if there are none. */
  private static int octet(String text, int at) {
    if (at + 1 >= text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(at), HEX);
    int low = Character.digit(text.charAt(at + 1), HEX);
    return high < 0 || low < 0 ? -1 : high * HEX + low;
  }
}
