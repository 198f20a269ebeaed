package org.svcmailbox.web.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The streamed answer to a suspended request.
 *
 * <p>The attribute {@value StreamedAnswer#ATTRIBUTE} tells the server that the answer is a stream.
 * The server then watches the connection until the answer ends, and lets the client read slowly.
 * Servers that do not know the attribute notice a disconnect at the next write.
 */
final class SuspendedAnswer implements StreamedAnswer {
  private static final Logger LOG = System.getLogger(SuspendedAnswer.class.getName());

  private final AsyncContext context;
  private final ServletOutputStream output;
  private final Executor threads;
  private final CompletableFuture<Void> hangUp = new CompletableFuture<>();

  SuspendedAnswer(
      HttpServletRequest http, AsyncContext context, ServletOutputStream output, Executor threads) {
    this.context = context;
    this.output = output;
    this.threads = threads;
    http.setAttribute(ATTRIBUTE, hangUp);
  }

  @Override
  public ServletOutputStream output() {
    return output;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  @Override
  public void complete() {
    try {
      context.complete();
    } catch (IllegalStateException e) {
      // The server had already ended it.
      LOG.log(Level.DEBUG, "An answer had already ended: {0}", e.getMessage());
    }
  }

  @Override
  public void hangUp() {
    hangUp.complete(null);
    complete();
  }
}
