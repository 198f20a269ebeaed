package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that come by a stream. */
class RecvStreamTest extends CliTest {
  private static final String STREAM = "POST /v1/recv/stream";
  private static final String OPEN = "{\"type\":\"open\",\"stream\":\"s1\",\"window\":1}\n";

  private final CountDownLatch gate = new CountDownLatch(1);

  RecvStreamTest() throws IOException {}

  @AfterEach
  void open() {
    gate.countDown();
  }

  private static ObjectNode message(int n) {
    return FakeService.leased("orders", "m" + n, "two apples");
  }

  private static String line(int n) {
    return "{\"type\":\"message\",\"n\":" + n + ",\"message\":" + message(n) + "}\n";
  }

  private static void write(HttpExchange exchange, String text) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().write(text.getBytes(UTF_8));
    exchange.getResponseBody().flush();
  }

  /** A stream that brings messages and stays open. */
  private void brings(int from, int to) {
    StringBuilder lines = new StringBuilder(OPEN);
    for (int n = from; n <= to; n++) {
      lines.append(line(n));
    }
    service.next(
        STREAM,
        exchange -> {
          write(exchange, lines.toString());
          gate.await();
        });
  }

  private List<JsonNode> streams() {
    return service.requests(STREAM).stream().map(FakeService.Request::json).toList();
  }

  @Test
  void messagesArePrintedAsTheyComeUpToTheMost() {
    brings(1, 3);
    Result result = run("recv", "orders", "--stream", "--max", "3", "--visibility", "9s");
    assertEquals(0, result.code(), result::err);
    assertEquals(List.of(message(1), message(2), message(3)), result.lines());
    assertEquals(3, streams().get(0).path("window").asInt());
    assertEquals(9_000, streams().get(0).path("visibility_ms").asInt());
    assertEquals(0, service.requests("POST /v1/ack").size());
  }

  @Test
  void theyAreAcknowledgedAsTheyArePrinted() {
    brings(1, 1);
    Result result = run("recv", "orders", "--stream", "-n", "1", "--ack");
    assertEquals(0, result.code(), result::err);
    assertEquals("m1", service.request("POST /v1/ack").json().path("msg_id").asText());
  }

  @Test
  void aStreamThatIsCutIsResumed() {
    service.next(
        STREAM,
        exchange -> {
          write(exchange, OPEN + line(1));
          exchange.close();
        });
    brings(2, 2);
    Result result = run("recv", "orders", "--stream", "--max", "2", "--ack");
    assertEquals(0, result.code(), result::err);
    assertEquals(List.of(message(1), message(2)), result.lines());
    assertEquals("{\"stream\":\"s1\",\"last\":1}", streams().get(1).path("resume").toString());
  }

  @Test
  void aWaitEndsIt() {
    brings(1, 0);
    assertEquals(6, run("recv", "orders", "--stream", "--wait", "100ms").code());
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    brings(1, 1);
    CompletableFuture<Result> ended = new CompletableFuture<>();
    Thread receiver = new Thread(() -> ended.complete(run("recv", "orders", "--stream", "--ack")));
    receiver.start();
    service.await("POST /v1/ack");
    receiver.interrupt();
    Result result = ended.get(20, TimeUnit.SECONDS);
    assertEquals(130, result.code());
    assertEquals("m1", result.line().path("msg_id").asText());
  }

  @Test
  void messagesThatNobodyReadsAreGivenBack() {
    brings(1, 1);
    int code =
        run(
            new BrokenStream(0),
            OutputStream.nullOutputStream(),
            "recv",
            "orders",
            "--stream",
            "--ack");
    assertEquals(141, code);
    assertEquals("m1", service.request("POST /v1/nack").json().path("msg_id").asText());
  }

  @Test
  void aServiceWithoutStreamsIsAskedForEachMessage() {
    service.nextProblem(STREAM, 404, "E_NOT_FOUND", "");
    service.holds(message(1));
    Result result = run("recv", "orders", "--stream", "--max", "1");
    assertEquals(0, result.code(), result::err);
    assertEquals(message(1), result.line());
  }

  @Test
  void aRefusalHasTheCodeThatItHasWithoutAStream() {
    service.nextProblem(STREAM, 403, "E_CAP_SCOPE", "");
    assertEquals(3, run("recv", "orders", "--stream").code());
    service.next(
        STREAM,
        exchange ->
            write(
                exchange,
                OPEN
                    + "{\"type\":\"end\",\"reason\":\"capability\",\"problem\":{\"status\":403}}\n"));
    assertEquals(3, run("recv", "orders", "--stream").code());
    service.nextProblem(STREAM, 503, "E_UNAVAILABLE", ",\"reason\":\"draining\"");
    Result away = run("recv", "orders", "--stream");
    assertEquals(4, away.code());
    assertTrue(away.err().contains("draining"), away.err());
  }
}
