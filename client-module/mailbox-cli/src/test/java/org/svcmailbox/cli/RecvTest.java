package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecvTest extends CliTest {
  private static final String RECV = "POST /v1/recv";
  private static final String ACK = "POST /v1/ack";
  private static final String NACK = "POST /v1/nack";

  RecvTest() throws IOException {}

  private static ObjectNode message(String id) {
    return FakeService.leased("orders", id, "two apples");
  }

  private static JsonNode[] messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(JsonNode[]::new);
  }

  @Test
  void aMessageIsPrintedAsTheServiceWroteIt() {
    service.holds(message("m0"));
    Result result = run("recv", "orders");
    assertEquals(0, result.code(), result::err);
    assertEquals(message("m0"), result.line());
    assertEquals(
        "{\"topic\":\"orders\",\"max_messages\":1,\"wait_ms\":0}", service.request(RECV).body());
    assertEquals(1, service.requests().size(), "it stays held");
  }

  @Test
  void nothingReceivedHasACodeOfItsOwn() {
    Result result = run("recv", "orders");
    assertEquals(6, result.code());
    assertEquals("", result.out());
  }

  @Test
  void aWaitIsOverInTime() {
    Result result = run("recv", "orders", "--wait", "100ms", "--visibility", "9s");
    assertEquals(6, result.code());
    JsonNode first = service.requests(RECV).get(0).json();
    assertTrue(first.path("wait_ms").asLong() <= 100, first.toString());
    assertEquals(9_000, first.path("visibility_ms").asLong());
  }

  @Test
  void receivesGoOnUntilThereAreAsManyAsWanted() {
    service.holds(messages(100)).holds(message("last"));
    Result result = run("recv", "orders", "-n", "101");
    assertEquals(0, result.code());
    assertEquals(101, result.lines().size());
    assertEquals(1, service.requests(RECV).get(1).json().path("max_messages").asInt());
  }

  @Test
  void someAreEnough() {
    service.holds(messages(3));
    assertEquals(0, run("recv", "orders", "-n", "50").code());
    assertEquals(2, service.requests(RECV).size());
  }

  @Test
  void messagesAreAcknowledgedAfterTheirLinesWereWritten() {
    service.holds(messages(2));
    AtomicInteger written = new AtomicInteger(-1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    service.next(
        ACK + "/batch",
        exchange -> {
          written.set((int) out.toString(UTF_8).lines().count());
          FakeService.write(exchange, 200, "{\"results\":[{\"ok\":true},{\"ok\":true}]}");
        });
    assertEquals(0, run(out, System.err, "recv", "orders", "-n", "2", "--ack"));
    assertEquals(2, written.get());
    assertEquals(
        "{\"acks\":[{\"msg_id\":\"m0\",\"receipt\":\"receipt-m0\"},"
            + "{\"msg_id\":\"m1\",\"receipt\":\"receipt-m1\"}]}",
        service.request(ACK + "/batch").body());
  }

  /** Also where the pipe takes some of the lines. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1_000})
  void messagesThatNobodyReadsAreGivenBack(int bytes) {
    service.holds(messages(3));
    int code =
        run(
            new BrokenStream(bytes),
            OutputStream.nullOutputStream(),
            "recv",
            "orders",
            "-n",
            "3",
            "--ack");
    assertEquals(141, code);
    assertEquals(List.of(), service.requests(ACK + "/batch"));
    JsonNode nacks = service.request(NACK + "/batch").json().path("nacks");
    assertEquals(3, nacks.size());
    assertEquals(0, nacks.get(2).path("delay_ms").asInt(-1));
    assertEquals("receipt-m2", nacks.get(2).path("receipt").asText());
  }

  @Test
  void anAcknowledgementThatIsRefusedIsAFailure() {
    service.holds(messages(2));
    service.next(
        ACK + "/batch",
        200,
        "{\"results\":[{\"ok\":true},{\"error\":{\"status\":410,\"why\":\"superseded\"}}]}");
    Result result = run("recv", "orders", "-n", "2", "--ack");
    assertEquals(1, result.code());
    assertTrue(result.err().contains("message m1 is not acknowledged"), result.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"payload", "ts", "topic", "hash_chain"})
  void aMessageThatWasAlteredIsNackedAndNotPrinted(String field) {
    ObjectNode altered = message("m0").put(field, "AAAA");
    service.holds(altered, message("m1"));
    Result result = run("recv", "orders", "-n", "2", "--ack");
    assertEquals(5, result.code());
    assertEquals("m1", result.line().path("msg_id").asText());
    assertTrue(result.err().contains("message m0 is not as it was sent"), result.err());
    assertEquals("m0", service.request(NACK).json().path("msg_id").asText());
    assertEquals("m1", service.request(ACK).json().path("msg_id").asText());
  }

  @Test
  void aMessageOfAnotherTopicIsNackedAndNotPrinted() {
    service.holds(FakeService.leased("invoices", "m0", "two apples"));
    Result result = run("recv", "orders", "--ack");
    assertEquals(5, result.code());
    assertEquals("", result.out());
    assertEquals("m0", service.request(NACK).json().path("msg_id").asText());
  }

  @Test
  void aServiceThatRefusesOrIsAwayEndsTheCommand() {
    service.nextProblem(RECV, 403, "E_CAP_SCOPE", ",\"reason\":\"topic\"");
    assertEquals(3, run("recv", "orders", "--wait", "20s").code());
    service.nextProblem(RECV, 503, "E_UNAVAILABLE", ",\"reason\":\"draining\"");
    assertEquals(4, run("recv", "orders", "--wait", "20s").code());
    assertEquals(2, service.requests().size());
  }

  @Test
  void anInterruptEndsAWait() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    service.next(RECV, exchange -> gate.await());
    CompletableFuture<Result> ended = new CompletableFuture<>();
    Thread receiver = new Thread(() -> ended.complete(run("recv", "orders", "--wait", "20s")));
    receiver.start();
    service.await(RECV);
    receiver.interrupt();
    Result result = ended.get(20, TimeUnit.SECONDS);
    gate.countDown();
    assertEquals(130, result.code());
    assertFalse(result.err().contains("internal error"), result.err());
  }

  /** The reader of the pipe has the message by then. */
  @Test
  void anInterruptWhileLinesAreWrittenDoesNotKeepThemFromBeingAcknowledged() {
    service.holds(message("m0"));
    OutputStream hurried =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int from, int count) {
            super.write(bytes, from, count);
            Thread.currentThread().interrupt();
          }
        };
    int code = run(hurried, OutputStream.nullOutputStream(), "recv", "orders", "--ack");
    assertEquals(130, code);
    assertEquals(1, service.requests(ACK).size());
  }
}
