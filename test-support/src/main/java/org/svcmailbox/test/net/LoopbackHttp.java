package org.svcmailbox.test.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import org.svcmailbox.test.concurrent.OwnThread;

/** An HTTP server of a test on the loopback interface, with a thread for each request. */
public final class LoopbackHttp implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = OwnThread.pool("loopback-http");

  /** A server whose every request goes to a handler. */
  public LoopbackHttp(HttpHandler handler) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", handler);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  /** Its root, without a slash at the end. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port());
  }

  /** The body of a request as text. */
  public static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), UTF_8);
  }

  /** Answers a request. */
  public static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
