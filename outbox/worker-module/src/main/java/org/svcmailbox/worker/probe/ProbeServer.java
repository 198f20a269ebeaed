package org.svcmailbox.worker.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers {@code /healthz}, {@code /readyz} and {@code /metrics}. */
public final class ProbeServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ProbeServer.class.getName());

  private static final List<String> METHODS = List.of("GET", "HEAD");

  /** The most requests that are answered at the same time. */
  static final int THREADS = 4;

  private static final int BACKLOG = 16;
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private record Answer(int status, String type, String body) {}

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, task -> new Thread(task, "probe"));

  private ProbeServer(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
  }

  /**
   * Starts a server.
   *
   * @param address the address to listen at; port 0 for any free port
   * @param isAlive whether no loop of the worker has ended
   * @param parts the parts, each with {@code "ok"} or its problem
   * @param metrics the text of the metrics
   * @throws IOException if the address is taken
   */
  public static ProbeServer start(
      InetSocketAddress address,
      BooleanSupplier isAlive,
      Supplier<Map<String, String>> parts,
      Supplier<String> metrics)
      throws IOException {
    ProbeServer probes = new ProbeServer(HttpServer.create(address, BACKLOG));
    probes.answer("/healthz", () -> health(isAlive.getAsBoolean()));
    probes.answer("/readyz", () -> readiness(parts.get()));
    probes.answer("/metrics", () -> new Answer(200, PROMETHEUS, metrics.get()));
    probes.server.start();
    return probes;
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static Answer health(boolean isAlive) {
    return status(isAlive, JsonNodeFactory.instance.objectNode());
  }

  private static Answer readiness(Map<String, String> parts) {
    ObjectNode checks = JsonNodeFactory.instance.objectNode();
    ObjectNode listed = checks.putObject("parts");
    parts.forEach(listed::put);
    return status(Readiness.isReady(parts), checks);
  }

  private static Answer status(boolean isUp, ObjectNode body) {
    return new Answer(isUp ? 200 : 503, JSON, body.put("status", isUp ? "UP" : "DOWN").toString());
  }

  private void answer(String path, Supplier<Answer> answers) {
    server.createContext(path, exchange -> answer(exchange, path, answers));
  }

  private static void answer(HttpExchange exchange, String path, Supplier<Answer> answers)
      throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals(path)) {
        exchange.sendResponseHeaders(404, -1);
      } else if (!METHODS.contains(exchange.getRequestMethod())) {
        exchange.getResponseHeaders().set("Allow", String.join(", ", METHODS));
        exchange.sendResponseHeaders(405, -1);
      } else {
        write(exchange, guarded(answers));
      }
    }
  }

  /** Turns failures into answers, because a closed connection would tell the client nothing. */
  private static Answer guarded(Supplier<Answer> answers) {
    try {
      return answers.get();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "A probe cannot be answered", e);
      return new Answer(500, JSON, "{}");
    }
  }

  private static void write(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(answer.status(), -1);
    } else {
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
