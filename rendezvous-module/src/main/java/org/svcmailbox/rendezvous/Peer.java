package org.svcmailbox.rendezvous;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;

/**
 * The client of a request that waits. A server that notices when it hangs up completes the future
 * in the request's attribute; any other server ignores it.
 */
final class Peer {
  /** The attribute; its value is a {@code CompletableFuture<Void>}. */
  static final String ATTRIBUTE = "org.svcmailbox.disconnected";

  private Peer() {}

  /** Runs a task, which must neither block nor throw, once the client has hung up. */
  static void whenGone(HttpServletRequest http, Runnable task) {
    CompletableFuture<Void> gone = new CompletableFuture<>();
    CompletableFuture<Void> unused = gone.thenRun(task);
    http.setAttribute(ATTRIBUTE, gone);
  }
}
