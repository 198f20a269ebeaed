package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The server's report that the kernel has accepted a response's last byte. The Servlet API has no
 * such report, and with TLS the server may still hold bytes that a stream accepted.
 */
final class SentReport {
  /**
   * The attribute's name. In the context, its presence announces reports. In a request, its value
   * is a {@code CompletableFuture<Boolean>}; false means that the connection ended first.
   */
  static final String ATTRIBUTE = "org.svcmailbox.sent";

  private SentReport() {}

  /**
   * Requests a report before the response begins.
   *
   * @return whether the server will report
   */
  static boolean request(HttpServletRequest http, Consumer<Boolean> report) {
    if (http.getServletContext().getAttribute(ATTRIBUTE) == null) {
      return false;
    }
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    CompletableFuture<Void> unused = sent.thenAccept(report);
    http.setAttribute(ATTRIBUTE, sent);
    return true;
  }
}
