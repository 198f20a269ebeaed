package org.svcmailbox.web.http;

import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The little this service has to understand of media types: whether they are JSON, a bare payload,
 * or text.
 */
public final class MediaTypes {
  public static final String JSON = "application/json";
  public static final String OCTETS = "application/octet-stream";

  /** A JSON object a line. */
  public static final String LINES = "application/x-ndjson";

  /** Nobody's. */
  static final String OTHER = "application/x-other";

  private static final Set<String> ACCEPTING =
      Set.of("*/*", "application/*", JSON, "application/problem+json");

  private static final Set<String> ACCEPTING_OCTETS = Set.of("*/*", "application/*", OCTETS, JSON);

  private static final Set<String> ACCEPTING_LINES =
      Set.of("*/*", "application/*", LINES, JSON, "application/problem+json");

  private static final Set<String> ACCEPTING_TEXT = Set.of("*/*", "text/*", "text/plain");

  private MediaTypes() {}

  /** What a {@code Content-Type} is, whatever its parameters: one of the three. */
  static String known(@Nullable String contentType) {
    String bare = contentType != null ? bare(contentType) : OTHER;
    return bare.equals(JSON) ? JSON : bare.equals(OCTETS) ? OCTETS : OTHER;
  }

  /** Whether JSON is among what {@code Accept} headers accept; it is when there are none. */
  static boolean acceptJson(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING);
  }

  /** As {@link #acceptJson}, for a bare payload; JSON will do, since problems are nothing else. */
  static boolean acceptOctets(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING_OCTETS);
  }

  /** As {@link #acceptJson}, for lines of JSON; JSON will do. */
  static boolean acceptLines(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING_LINES);
  }

  /** As {@link #acceptJson}, for plain text. */
  static boolean acceptText(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING_TEXT);
  }

  private static boolean accept(Enumeration<String> accepts, Set<String> accepting) {
    boolean isAny = !accepts.hasMoreElements();
    while (!isAny && accepts.hasMoreElements()) {
      isAny = accepts(accepts.nextElement(), accepting);
    }
    return isAny;
  }

  private static boolean accepts(String header, Set<String> accepting) {
    int start = 0;
    while (start <= header.length()) {
      int comma = header.indexOf(',', start);
      int end = comma < 0 ? header.length() : comma;
      if (accepting.contains(bare(header.substring(start, end)))) {
        return true;
      }
      start = end + 1;
    }
    return false;
  }

  private static String bare(String type) {
    int semicolon = type.indexOf(';');
    String bare = semicolon < 0 ? type : type.substring(0, semicolon);
    return bare.trim().toLowerCase(Locale.ROOT);
  }
}
