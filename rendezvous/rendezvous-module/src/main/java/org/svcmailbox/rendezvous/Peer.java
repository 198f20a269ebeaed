package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;

/**
 * The client of a waiting request. A server that supports this completes the future in a request
 * attribute when the client disconnects; other servers ignore it.
 */
final class Peer {
  /** The attribute; its value is a {@code CompletableFuture<Void>}. */
  static final String ATTRIBUTE = "org.svcmailbox.disconnected";

  private Peer() {}

  /** Runs a task when the client disconnects; the task must neither block nor throw. */
  static void whenGone(HttpServletRequest http, Runnable task) {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    CompletableFuture<Void> unused = gone.thenRun(task);
    http.setAttribute(ATTRIBUTE, gone);
  }
}
