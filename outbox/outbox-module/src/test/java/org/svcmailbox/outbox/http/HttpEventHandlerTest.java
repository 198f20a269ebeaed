package org.svcmailbox.outbox.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.test.concurrent.BlockedCommonPool;
import org.svcmailbox.test.concurrent.OwnThread;
import org.svcmailbox.test.net.LoopbackHttp;

/** Against a socket that answers what a test says, well-formed or not. */
class HttpEventHandlerTest {
  private static final HandlerPayload EVENT =
      new HandlerPayload(
          MessageId.next(),
          EventSubject.of("shop", "paid", 1),
          "paid",
          1,
          Instant.EPOCH,
          null,
          null,
          new Payload("{}"));

  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private interface Answer {
    void write(Socket socket) throws Exception;
  }

  private HandlerResult handle(Duration timeout, Answer answer) throws Exception {
    CompletableFuture<String> request =
        CompletableFuture.supplyAsync(
            () -> {
              try (Socket socket = server.accept()) {
                String read = read(socket.getInputStream());
                answer.write(socket);
                return read;
              } catch (Exception e) {
                return "";
              }
            },
            OwnThread.EXECUTOR);
    URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/handle");
    HandlerResult result = new HttpEventHandler(uri, timeout).handle("paid", EVENT);
    assertTrue(request.join().isEmpty() || request.join().endsWith(EVENT.json()));
    return result;
  }

  private static String read(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("}}")) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      text.append((char) next);
    }
    return text.toString();
  }

  private HandlerResult handle(String answer) throws Exception {
    return handle(
        Duration.ofSeconds(10),
        socket -> {
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
          socket.shutdownOutput();
        });
  }

  private static String answer(int status, String headers, String body) {
    return "HTTP/1.1 "
        + status
        + " x\r\n"
        + headers
        + "Content-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  @Test
  void theStatusSaysWhatBecameOfTheEvent() throws Exception {
    assertEquals(new Processed(), handle(answer(200, "", "fine")));
    assertEquals(new AlreadyProcessed(), handle(answer(409, "", "")));
    assertEquals(
        new Poison("the handler answered 422: no such order"),
        handle(answer(422, "", "no such order\n")));
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 302, 307, 400, 401, 404, 408, 429, 500, 502, 503, 599})
  void everyOtherStatusIsTransient(int status) throws Exception {
    String location = "Location: http://127.0.0.1:" + server.getLocalPort() + "/other\r\n";
    assertEquals(
        new Retry("the handler answered " + status, null), handle(answer(status, location, "")));
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 202, 204})
  void anotherSuccessIsToldThatItIsNone(int status) throws Exception {
    assertEquals(
        new Retry("the handler answered " + status + ", which is no success; one is 200", null),
        handle(answer(status, "", "")));
  }

  @Test
  void aHandlerIsToldItsSecret() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    try (LoopbackHttp http =
        new LoopbackHttp(
            exchange -> {
              told.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
              LoopbackHttp.answer(exchange, 200, "text/plain", "");
            })) {
      Duration timeout = Duration.ofSeconds(10);
      HttpEventHandler withSecret =
          new HttpEventHandler(http.uri(), timeout, TokenSource.of("hidden"));
      assertEquals(new Processed(), withSecret.handle("paid", EVENT));
      assertEquals(
          new Processed(), new HttpEventHandler(http.uri(), timeout).handle("paid", EVENT));
      assertEquals(List.of("Bearer hidden", "null"), told);
    }
  }

  @Test
  void aHandlerSaysWhenToTryAgain() throws Exception {
    assertEquals(
        new Retry("the handler answered 503", Duration.ofSeconds(7)),
        handle(answer(503, "Retry-After: 7\r\n", "")));
    assertEquals(
        new Retry("the handler answered 503", Duration.ofHours(1)),
        handle(answer(503, "Retry-After: 999999999\r\n", "")));
    assertEquals(
        new Retry("the handler answered 503", null),
        handle(answer(503, "Retry-After: tomorrow\r\n", "")));
  }

  @Test
  void aHugeBodyIsReadInPart() throws Exception {
    HandlerResult result =
        handle(
            Duration.ofSeconds(10),
            socket -> {
              OutputStream out = socket.getOutputStream();
              out.write(
                  "HTTP/1.1 422 x\r\nContent-Length: 99999999999\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
              byte[] block = new byte[1 << 16];
              while (true) {
                out.write(block);
              }
            });
    assertTrue(assertInstanceOf(Poison.class, result).reason().length() <= (64 << 10) + 100);
  }

  @Test
  void aBodyThatBreaksOffIsAReasonThatBreaksOff() throws Exception {
    assertEquals(
        new Poison("the handler answered 422: no"),
        handle("HTTP/1.1 422 x\r\nContent-Length: 100\r\n\r\nno"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 2", "nonsense\r\n\r\n"})
  void noAnswerIsTransient(String answer) throws Exception {
    assertInstanceOf(Retry.class, handle(answer));
  }

  @Test
  void aSlowAnswerIsGivenUp() throws Exception {
    HandlerResult result =
        handle(
            Duration.ofMillis(200),
            socket -> {
              socket
                  .getOutputStream()
                  .write(
                      "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\na"
                          .getBytes(StandardCharsets.US_ASCII));
              // Ends when the handler hangs up.
              int unused = socket.getInputStream().read();
            });
    assertEquals(new Retry("the handler gave no answer within PT0.2S", null), result);
  }

  @Test
  void anApplicationThatBlocksTheCommonPoolDelaysNoEvent() throws Exception {
    BlockedCommonPool pool = new BlockedCommonPool();
    try {
      assertEquals(new Processed(), handle(answer(200, "", "")));
    } finally {
      pool.close();
    }
  }

  @Test
  void noConnectionIsTransient() throws Exception {
    int port = server.getLocalPort();
    server.close();
    URI uri = URI.create("http://127.0.0.1:" + port + "/handle");
    assertInstanceOf(
        Retry.class, new HttpEventHandler(uri, Duration.ofSeconds(10)).handle("paid", EVENT));
  }
}
