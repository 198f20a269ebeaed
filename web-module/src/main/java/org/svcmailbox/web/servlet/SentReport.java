package org.svcmailbox.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The server's report of whether the kernel has accepted the last byte of an answer. The Servlet
 * API has no such report, so a server that supports it completes a future in a request attribute.
 */
final class SentReport {
  /** The attribute; its value is a {@code CompletableFuture<Boolean>}. */
  static final String ATTRIBUTE = "org.svcmailbox.sent";

  private SentReport() {}

  /** Requests a report; call it before the answer begins. */
  static void request(HttpServletRequest http, Consumer<Boolean> report) {
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    CompletableFuture<Void> unused = sent.thenAccept(report);
    http.setAttribute(ATTRIBUTE, sent);
  }
}
