package org.svcmailbox.web.http;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.web.header.HeaderField;

/**
 * Shows only the headers that endpoints use. JAX-RS parses every header it knows, and a malformed
 * one fails the request with a stack trace.
 */
final class TrimmedHeadersRequest extends HttpServletRequestWrapper {
  private static final String CONTENT_TYPE = "content-type";

  /** Headers that are lists. A client or proxy may send each of them several times. */
  private static final Set<String> LISTS =
      Set.of("if-match", "if-none-match", "x-forwarded-for", "traceparent", "tracestate");

  private static final Set<String> SHOWN =
      Set.of(
          "authorization",
          "content-length",
          CONTENT_TYPE,
          "forwarded",
          "if-match",
          "if-none-match",
          "x-forwarded-for",
          "traceparent",
          "tracestate");

  TrimmedHeadersRequest(HttpServletRequest request) {
    super(request);
  }

  /** Returns one of the known types, without parameters. */
  @Override
  public String getContentType() {
    return MediaTypes.known(super.getContentType());
  }

  @Override
  public @Nullable String getHeader(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals(CONTENT_TYPE)) {
      return getContentType();
    }
    if (LISTS.contains(lower)) {
      return joined(lower);
    }
    return isShown(lower) ? super.getHeader(name) : null;
  }

  /** Repeated headers and a comma-separated list are equivalent. */
  private @Nullable String joined(String name) {
    Enumeration<String> all = super.getHeaders(name);
    return all.hasMoreElements() ? String.join(",", Collections.list(all)) : null;
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    if (HeaderField.isMailboxHeader(name.toLowerCase(Locale.ROOT))) {
      return super.getHeaders(name);
    }
    String value = getHeader(name);
    return value != null ? Collections.enumeration(List.of(value)) : Collections.emptyEnumeration();
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    List<String> shown = new ArrayList<>();
    shown.add(CONTENT_TYPE);
    for (String name : Collections.list(super.getHeaderNames())) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (isShown(lower) && !lower.equals(CONTENT_TYPE)) {
        shown.add(name);
      }
    }
    return Collections.enumeration(shown);
  }

  private static boolean isShown(String lowerName) {
    return SHOWN.contains(lowerName) || HeaderField.isMailboxHeader(lowerName);
  }

  @Override
  public Cookie @Nullable [] getCookies() {
    return null;
  }

  /** Uses no {@code Host} header, which the client controls. */
  @Override
  public StringBuffer getRequestURL() {
    return new StringBuffer("http://localhost").append(getRequestURI());
  }
}
