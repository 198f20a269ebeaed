package org.svcmailbox.worker.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.svcmailbox.test.concurrent.Deadline;

@Timeout(60)
class ProbeServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient http = HttpClient.newHttpClient();
  private volatile boolean isAlive = true;
  private volatile Supplier<Map<String, String>> parts = () -> Map.of("database", "ok");
  private volatile CountDownLatch scrape = new CountDownLatch(0);
  private final AtomicInteger scraping = new AtomicInteger();
  private final ProbeServer server;

  ProbeServerTest() throws IOException {
    server = ProbeServer.start(ANY_PORT, () -> isAlive, () -> parts.get(), this::metrics);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private String metrics() {
    scraping.incrementAndGet();
    try {
      assertTrue(scrape.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    scraping.decrementAndGet();
    return "# metrics\n";
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(30));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void healthIsWhetherAllLoopsRun() throws Exception {
    HttpResponse<String> up = get("/healthz");
    assertEquals(200, up.statusCode());
    assertEquals("{\"status\":\"UP\"}", up.body());
    assertEquals("application/json", header(up, "Content-Type"));
    assertEquals("no-store", header(up, "Cache-Control"));
    isAlive = false;
    assertEquals(503, get("/healthz").statusCode());
    assertEquals("{\"status\":\"DOWN\"}", get("/healthz").body());
  }

  @Test
  void readinessNamesThePartThatIsDown() throws Exception {
    assertEquals(200, get("/readyz").statusCode());
    parts = () -> Map.of("service", "it answers 503");
    HttpResponse<String> down = get("/readyz");
    assertEquals(503, down.statusCode());
    assertEquals("{\"parts\":{\"service\":\"it answers 503\"},\"status\":\"DOWN\"}", down.body());
  }

  @Test
  void metricsAreInTheTextFormat() throws Exception {
    HttpResponse<String> metrics = get("/metrics");
    assertEquals("# metrics\n", metrics.body());
    assertEquals("text/plain; version=0.0.4; charset=utf-8", header(metrics, "Content-Type"));
  }

  @Test
  void nothingElseIsThere() throws Exception {
    for (String path : List.of("/", "/healthz/", "/metrics/x", "/metricsx", "/v1/send")) {
      assertEquals(404, get(path).statusCode(), path);
    }
  }

  @Test
  void aHeadIsAGetWithoutItsBody() throws Exception {
    HttpResponse<String> head =
        http.send(
            request("/metrics").method("HEAD", BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());
    assertEquals(200, head.statusCode());
    assertEquals("", head.body());
    assertEquals("10", header(head, "Content-Length"));
    assertEquals(200, get("/healthz").statusCode());
  }

  @Test
  void nothingCanBeChanged() throws Exception {
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
      HttpResponse<String> refused =
          http.send(
              request("/healthz").method(method, BodyPublishers.ofString("x")).build(),
              BodyHandlers.ofString());
      assertEquals(405, refused.statusCode(), method);
      assertEquals("GET, HEAD", header(refused, "Allow"));
    }
  }

  @Test
  void itListensWhereItIsToldAlone() throws Exception {
    for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(network.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          assertThrows(ConnectException.class, () -> connect(address), address::toString);
        }
      }
    }
    // In the range of loopback addresses, and yet another one.
    assertThrows(ConnectException.class, () -> connect(loopback(2)));
    connect(loopback(1));
  }

  private static InetAddress loopback(int last) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
  }

  private void connect(InetAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, server.port()), 5_000);
    }
  }

  @Test
  void anAddressThatIsTakenIsAnError() {
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    assertThrows(IOException.class, () -> ProbeServer.start(taken, () -> true, Map::of, () -> ""));
  }

  @Test
  void soManyRequestsAreAnsweredAtATime() throws Exception {
    scrape = new CountDownLatch(1);
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i <= ProbeServer.THREADS; i++) {
      answers.add(http.sendAsync(request("/metrics").build(), BodyHandlers.ofString()));
    }
    Deadline.in(Duration.ofSeconds(10))
        .await(() -> scraping.get() == ProbeServer.THREADS, () -> scraping + " at a time");
    assertFalse(answers.stream().anyMatch(CompletableFuture::isDone));
    assertEquals(ProbeServer.THREADS, scraping.get());
    scrape.countDown();
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      assertEquals(200, answer.get(30, TimeUnit.SECONDS).statusCode());
    }
  }

  @Test
  void aFaultIsAnAnswerAndEndsNoThread() throws Exception {
    parts =
        () -> {
          throw new IllegalStateException("fault");
        };
    for (int i = 0; i <= ProbeServer.THREADS; i++) {
      assertEquals(500, get("/readyz").statusCode());
    }
    assertEquals(200, get("/healthz").statusCode());
  }
}
