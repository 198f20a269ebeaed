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
 * A request that shows only the headers the doors have a use for. JAX-RS parses every header it
 * knows, asked or not, and reports one it cannot parse as a failure of its own, with a stack trace;
 * what it does not see it does not stumble over.
 */
final class TrimmedHeadersRequest extends HttpServletRequestWrapper {
  private static final String CONTENT_TYPE = "content-type";

  /** Lists, which may come in as many headers as there were hands on the request. */
  private static final Set<String> LISTS = Set.of("x-forwarded-for", "traceparent", "tracestate");

  private static final Set<String> SHOWN =
      Set.of(
          "authorization",
          "content-length",
          CONTENT_TYPE,
          "x-forwarded-for",
          "traceparent",
          "tracestate");

  TrimmedHeadersRequest(HttpServletRequest request) {
    super(request);
  }

  /** What we know or something else: no parameters, no spellings. */
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

  /** As many headers or one: it is the same list. */
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

  /** Without the {@code Host} header's part in it, which is the client's to choose. */
  @Override
  public StringBuffer getRequestURL() {
    return new StringBuffer("http://localhost").append(getRequestURI());
  }
}
