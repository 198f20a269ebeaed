package org.svcmailbox.web.http;

import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Classifies media types: JSON, a bare payload, or text. */
public final class MediaTypes {
  public static final String JSON = "application/json";
  public static final String OCTETS = "application/octet-stream";

  /** JSON lines. */
  public static final String LINES = "application/x-ndjson";

  /** Any other type. */
  static final String OTHER = "application/x-other";

  private static final Set<String> ACCEPTING =
      Set.of("*/*", "application/*", JSON, "application/problem+json");

  private static final Set<String> ACCEPTING_OCTETS = Set.of("*/*", "application/*", OCTETS, JSON);

  private static final Set<String> ACCEPTING_LINES =
      Set.of("*/*", "application/*", LINES, JSON, "application/problem+json");

  private static final Set<String> ACCEPTING_STREAM = Set.of("*/*", "application/*", LINES);

  private static final Set<String> ACCEPTING_TEXT = Set.of("*/*", "text/*", "text/plain");

  private MediaTypes() {}

  /** Classifies a {@code Content-Type}, ignoring its parameters. */
  static String known(@Nullable String contentType) {
    String bare = contentType != null ? bare(contentType) : OTHER;
    return bare.equals(JSON) ? JSON : bare.equals(OCTETS) ? OCTETS : OTHER;
  }

  /** Whether {@code Accept} headers allow JSON; they do when absent. */
  static boolean acceptJson(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING);
  }

  /** Like {@link #acceptJson}, for a bare payload. JSON suffices, because problems are JSON. */
  static boolean acceptOctets(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING_OCTETS);
  }

  /** Like {@link #acceptJson}, for JSON lines. JSON suffices. */
  static boolean acceptLines(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING_LINES);
  }

  /** Like {@link #acceptJson}, for a stream of JSON lines. JSON does not suffice. */
  static boolean acceptStream(Enumeration<String> accepts) {
    return accept(accepts, ACCEPTING_STREAM);
  }

  /** Like {@link #acceptJson}, for plain text. */
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
