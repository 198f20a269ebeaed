package org.svcmailbox.web.delivery;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Whether a waiting client is still there. The Servlet API has no word for that, so the question is
 * left as a future in a request attribute: a server that can tell completes it, any other ignores
 * it, and the client's absence is then noticed when its answer cannot be written.
 */
final class Peer {
  /** The attribute; its value is a {@code CompletableFuture<Void>}. */
  static final String ATTRIBUTE = "org.svcmailbox.disconnected";

  private final CompletableFuture<Void> gone = new CompletableFuture<>();

  private Peer() {}

  /** The peer of a request; to be asked for before the request's thread goes back. */
  static Peer of(HttpServletRequest http) {
    Peer peer = new Peer();
    http.setAttribute(ATTRIBUTE, peer.gone);
    return peer;
  }

  /** Whether it is known to be gone. */
  boolean isGone() {
    return gone.isDone();
  }

  /** Runs a task, which must neither block nor throw, as soon as it is known to be gone. */
  void whenGone(Runnable task) {
    CompletableFuture<Void> unused = gone.thenRun(task);
  }
}
