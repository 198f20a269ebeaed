package org.svcmailbox.web.http;

import java.util.Enumeration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The little this service has to understand of media types: whether they are JSON. */
final class MediaTypes {
  static final String JSON = "application/json";

  private static final Set<String> ACCEPTING =
      Set.of("*/*", "application/*", JSON, "application/problem+json");

  private MediaTypes() {}

  /** Whether a {@code Content-Type} is JSON, whatever its parameters. */
  static boolean isJson(@Nullable String contentType) {
    return contentType != null && bare(contentType).equals(JSON);
  }

  /** Whether JSON is among what {@code Accept} headers accept; it is when there are none. */
  static boolean acceptJson(Enumeration<String> accepts) {
    boolean isAny = !accepts.hasMoreElements();
    while (!isAny && accepts.hasMoreElements()) {
      isAny = acceptsJson(accepts.nextElement());
    }
    return isAny;
  }

  private static boolean acceptsJson(String header) {
    int start = 0;
    while (start <= header.length()) {
      int comma = header.indexOf(',', start);
      int end = comma < 0 ? header.length() : comma;
      if (ACCEPTING.contains(bare(header.substring(start, end)))) {
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
