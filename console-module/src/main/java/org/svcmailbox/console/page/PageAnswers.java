package org.svcmailbox.console.page;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Answers to a browser that has followed a link or sent a form. */
public final class PageAnswers {
  private PageAnswers() {}

  /** Shows a page that was made for this answer. */
  public static void show(HttpServletResponse response, int status, String html)
      throws IOException {
    byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType("text/html; charset=utf-8");
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** Sends the browser on; what it sent is not sent again. */
  public static void goOn(HttpServletResponse response, String location) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader("Location", location);
  }

  /** As text between tags or in quotation marks. */
  public static String text(String any) {
    return any.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
