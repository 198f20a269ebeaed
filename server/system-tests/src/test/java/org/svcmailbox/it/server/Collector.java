package org.svcmailbox.it.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Takes what OpenTelemetry exports by HTTP, on a free loopback port, and reads its spans. */
public final class Collector implements AutoCloseable {
  /**
   * A span; its ids in hexadecimal digits.
   *
   * @param parent the span it is a child of; empty when there is none
   * @param links the spans it is linked to
   */
  public record CallSpan(String name, String trace, String id, String parent, List<String> links) {}

  private final HttpServer server;
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private final List<CallSpan> spans = new CopyOnWriteArrayList<>();

  private Collector(HttpServer server) {
    this.server = server;
  }

  /** Starts one. */
  public static Collector start() {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      Collector collector = new Collector(HttpServer.create(address, 0));
      collector.server.createContext("/", collector::take);
      collector.server.start();
      return collector;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it is. */
  public String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The paths posted to so far. */
  public List<String> paths() {
    return List.copyOf(paths);
  }

  /** The spans received so far. */
  public List<CallSpan> spans() {
    return List.copyOf(spans);
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      paths.add(exchange.getRequestURI().getPath());
      spans(Protobuf.of(body(exchange))).forEach(spans::add);
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream in = exchange.getRequestBody();
    return (isZipped ? new GZIPInputStream(in) : in).readAllBytes();
  }

  /** ExportTraceServiceRequest: resource_spans = 1, scope_spans = 2, spans = 2. */
  private static Stream<CallSpan> spans(Protobuf request) {
    return request
        .messages(1)
        .flatMap(r -> r.messages(2))
        .flatMap(s -> s.messages(2))
        .map(Collector::span);
  }

  private static CallSpan span(Protobuf span) {
    return new CallSpan(
        span.text(5),
        hex(span.bytes(1)),
        hex(span.bytes(2)),
        hex(span.bytes(4)),
        span.messages(13).map(link -> hex(link.bytes(2))).toList());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
