package org.svcmailbox.web.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Tells whether a waiting client is still connected. The Servlet API cannot tell, so this class
 * puts a future into a request attribute. A server that supports this completes the future; on
 * other servers, only a failed write reveals the disconnect.
 */
public final class Peer {
  /** The attribute; its value is a {@code CompletableFuture<Void>}. */
  static final String ATTRIBUTE = "org.svcmailbox.disconnected";

  private final CompletableFuture<Void> gone = new CompletableFuture<>();

  private Peer() {}

  /** Registers the future; call it before the request's thread returns. */
  public static Peer of(HttpServletRequest http) {
    Peer peer = new Peer();
    http.setAttribute(ATTRIBUTE, peer.gone);
    return peer;
  }

  public boolean isGone() {
    return gone.isDone();
  }

  /** Runs a task when the client disconnects; the task must neither block nor throw. */
  public void whenGone(Runnable task) {
    CompletableFuture<Void> unused = gone.thenRun(task);
  }
}
