package org.svcmailbox.core.route;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.capability.BearerToken;

class HttpPeerTransportTest {
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final HttpPeerTransport transport =
      new HttpPeerTransport(() -> new BearerToken("tok"), null, executor);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(executor);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    executor.shutdownNow();
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:" + port + "/");
  }

  private void answer(int status, byte[] body) {
    server.createContext(
        "/v1/peer/calls",
        exchange -> {
          assertEquals("Bearer tok", exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] calls = exchange.getRequestBody().readAllBytes();
          assertArrayEquals(new byte[] {1, 2, 3}, calls);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
  }

  private byte[] send(URI peer) {
    return transport.calls().send(peer, new byte[] {1, 2, 3}).toCompletableFuture().join();
  }

  private Throwable failure(URI peer) {
    return requireNonNull(assertThrows(CompletionException.class, () -> send(peer)).getCause());
  }

  @Test
  void aFrameGoesThereWithThisNodesCapability() {
    answer(200, new byte[] {4, 5});
    assertArrayEquals(new byte[] {4, 5}, send(uri(server.getAddress().getPort())));
  }

  @Test
  void aNodeMayBeBehindAPrefix() {
    server.createContext(
        "/mail/v1/peer/calls",
        exchange -> {
          exchange.sendResponseHeaders(200, 1);
          exchange.getResponseBody().write(7);
          exchange.close();
        });
    URI peer = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mail/");
    assertArrayEquals(new byte[] {7}, send(peer));
  }

  @Test
  void aQuestionForTopicsGoesToAPathOfItsOwn() {
    server.createContext(
        "/v1/peer/ready",
        exchange -> {
          byte[] question = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, question.length);
          exchange.getResponseBody().write(question);
          exchange.close();
        });
    URI peer = uri(server.getAddress().getPort());
    byte[] answer = transport.ready().send(peer, new byte[] {6}).toCompletableFuture().join();
    assertArrayEquals(new byte[] {6}, answer);
  }

  /** After a 5xx some of the calls may have been carried out, after a 429 all of them. */
  @ParameterizedTest
  @CsvSource({
    "400, true",
    "401, true",
    "404, true",
    "413, true",
    "429, false",
    "500, false",
    "503, false",
    "302, false"
  })
  void anotherStatusTellsWhetherTheFrameWasBegun(int status, boolean isNotSent) {
    answer(status, new byte[] {4});
    Throwable failure = failure(uri(server.getAddress().getPort()));
    assertEquals(isNotSent, failure instanceof PeerTransport.NotSentException, failure::toString);
  }

  @Test
  void aNodeThatRefusesTheConnectionBeganNothing() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertInstanceOf(PeerTransport.NotSentException.class, failure(uri(port)));
  }

  @Test
  void aConnectionThatIsCutBehindTheFrameLeavesADoubt() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> cut =
          CompletableFuture.runAsync(
              () -> {
                try (Socket accepted = socket.accept()) {
                  accepted.setSoTimeout(5_000);
                  byte[] head = new byte[4_096];
                  int length = 0;
                  // The frame is the last three bytes.
                  while (length < 3 || head[length - 3] != 1 || head[length - 1] != 3) {
                    length += accepted.getInputStream().read(head, length, head.length - length);
                  }
                } catch (IOException e) {
                  throw new CompletionException(e);
                }
              },
              executor);
      Throwable failure = failure(uri(socket.getLocalPort()));
      cut.join();
      assertInstanceOf(IOException.class, failure);
    }
  }

  @Test
  void anEndlessAnswerEnds() {
    server.createContext(
        "/v1/peer/calls",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] part = new byte[1 << 20];
          try {
            while (true) {
              exchange.getResponseBody().write(part);
            }
          } catch (IOException e) {
            exchange.close();
          }
        });
    Throwable failure = failure(uri(server.getAddress().getPort()));
    assertEquals("an answer of more than 33554432", failure.getMessage());
  }

  @Test
  void aNodeWithoutATokenBeginsNothing() {
    HttpPeerTransport silent =
        new HttpPeerTransport(
            () -> {
              throw new IllegalStateException("no key");
            },
            null,
            executor);
    CompletionException failure =
        assertThrows(
            CompletionException.class,
            () -> silent.calls().send(uri(1), new byte[0]).toCompletableFuture().join());
    assertInstanceOf(PeerTransport.NotSentException.class, failure.getCause());
  }
}
