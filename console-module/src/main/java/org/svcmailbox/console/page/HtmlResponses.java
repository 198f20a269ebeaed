package org.svcmailbox.console.page;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Responses to page loads and form posts. */
public final class HtmlResponses {
  private HtmlResponses() {}

  /** Writes a generated page. */
  public static void write(HttpServletResponse response, int status, String html)
      throws IOException {
    byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType("text/html; charset=utf-8");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** Redirects with 303, so that the browser does not repeat a post. */
  public static void redirect(HttpServletResponse response, String location) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader("Location", location);
  }

  /** Escapes text for element content and quoted attributes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
