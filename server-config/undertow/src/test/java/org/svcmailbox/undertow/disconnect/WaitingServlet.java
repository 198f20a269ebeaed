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
  private static final long serialVersionUID = 1L;

  private final transient BlockingQueue<Waiting> arrivals = new LinkedBlockingQueue<>();

  /** A request that waits. */
  record Waiting(String body, CompletableFuture<Void> gone, AsyncContext context) {
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
    arrivals.add(new Waiting(new String(body, StandardCharsets.UTF_8), gone, context));
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getOutputStream().write("at once".getBytes(StandardCharsets.UTF_8));
  }
}
