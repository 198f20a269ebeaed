package org.svcmailbox.undertow.disconnect;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** A servlet whose requests wait until the test answers them, each with its own body as answer. */
final class WaitingServlet extends HttpServlet {
  /** The path of answers that last. */
  static final String LASTING = "/lasting";

  private static final long serialVersionUID = 1L;

  private final transient BlockingQueue<Waiting> arrivals = new LinkedBlockingQueue<>();

  /** A request that waits. */
  record Waiting(
      String body,
      CompletableFuture<Void> gone,
      CompletableFuture<Void> hangUp,
      AsyncContext context) {
    /** Begins an answer that lasts, on the caller's thread. */
    void begin(String text) throws IOException {
      context.getResponse().getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      context.getResponse().flushBuffer();
    }

    /** Answers it, on the caller's thread. */
    void answer() {
      try {
        context.getResponse().getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        context.complete();
      }
    }
  }

  /** Requests in the order of their arrival. */
  BlockingQueue<Waiting> arrivals() {
    return arrivals;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    byte[] body = request.getInputStream().readAllBytes();
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    CompletableFuture<Void> gone = new CompletableFuture<>();
    request.setAttribute(DisconnectHandler.ATTRIBUTE, gone);
    CompletableFuture<Void> hangUp = new CompletableFuture<>();
    if (request.getRequestURI().equals(LASTING)) {
      request.setAttribute("org.svcmailbox.stream", hangUp);
    }
    arrivals.add(new Waiting(new String(body, StandardCharsets.UTF_8), gone, hangUp, context));
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getOutputStream().write("at once".getBytes(StandardCharsets.UTF_8));
  }
}
