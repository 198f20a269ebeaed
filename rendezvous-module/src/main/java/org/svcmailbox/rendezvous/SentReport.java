package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The server's word that a response is in the kernel, to its last byte. The Servlet API has no such
 * report: behind TLS, bytes that a stream has taken can still be in the server.
 */
final class SentReport {
  /**
   * The attribute. Of the context: present when the server reports. Of a request: a {@code
   * CompletableFuture<Boolean>}, false when the connection ended before.
   */
  static final String ATTRIBUTE = "org.svcmailbox.sent";

  private SentReport() {}

  /**
   * Asks for a report, before the response begins.
   *
   * @return whether there will be one
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
