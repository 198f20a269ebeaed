package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.svcmailbox.test.concurrent.Deadline;

/** recv --exec: a shell command for each message. */
class ExecTest extends CliTest {
  private static final String ACK = "POST /v1/ack";
  private static final String NACK = "POST /v1/nack";
  private static final String EXTEND = "POST /v1/extend";

  ExecTest() throws IOException {}

  private static ObjectNode message(String id, String body) {
    return FakeService.leased("orders", id, body);
  }

  private Result exec(String command, String... more) {
    String[] arguments = new String[4 + more.length];
    System.arraycopy(new String[] {"recv", "orders", "--exec", command}, 0, arguments, 0, 4);
    System.arraycopy(more, 0, arguments, 4, more.length);
    return run(arguments);
  }

  @Test
  void aCommandThatSucceedsAcknowledges() throws IOException {
    Path file = directory.resolve("seen");
    service.holds(message("m0", "two apples"));
    Result result =
        exec("{ cat; echo \" $MAILBOX_TOPIC $MAILBOX_MSG_ID $MAILBOX_ATTEMPT\"; } > " + file);
    assertEquals(0, result.code(), result::err);
    assertEquals("two apples orders m0 1\n", Files.readString(file));
    assertEquals(
        "{\"msg_id\":\"m0\",\"attempt\":1,\"exit\":0,\"acknowledged\":true}",
        result.line().toString());
    assertEquals("{\"msg_id\":\"m0\",\"receipt\":\"receipt-m0\"}", service.request(ACK).body());
  }

  @Test
  void theMessageIsThereWithoutItsBodyAndReceipt() throws IOException {
    Path file = directory.resolve("seen");
    service.holds(message("m0", "two apples"));
    exec("printf %s \"$MAILBOX_MESSAGE\" > " + file);
    JsonNode seen = FakeService.MAPPER.readTree(Files.readString(file));
    assertEquals("key", seen.path("idem_key").asText());
    assertFalse(seen.has("payload") || seen.has("receipt"), seen.toString());
  }

  @Test
  void aCommandThatFailsNacksWithTheLastLineOfItsErrors() {
    service.holds(message("m0", "two apples").put("attempt", 3));
    Result result = exec("echo out; echo first >&2; echo 'no basket' >&2; echo >&2; exit 7");
    assertEquals(1, result.code());
    assertEquals(
        "{\"msg_id\":\"m0\",\"receipt\":\"receipt-m0\",\"reason\":\"no basket\",\"delay_ms\":180000}",
        service.request(NACK).body());
    assertEquals(7, result.line().path("exit").asInt());
    assertEquals("no basket", result.line().path("error").asText());
    assertTrue(result.err().contains("out\n") && result.err().contains("first\n"), result.err());
    assertEquals(List.of(), service.requests(ACK));
  }

  @Test
  void aCommandThatSaysNothingNacksWithItsCode() {
    service.holds(message("m0", "two apples").put("attempt", 99));
    exec("exit 3");
    JsonNode nack = service.request(NACK).json();
    assertEquals("the exit code was 3", nack.path("reason").asText());
    assertEquals(900_000, nack.path("delay_ms").asInt());
  }

  @Test
  void aCommandThatIsKilledNacks() {
    service.holds(message("m0", "two apples"));
    assertEquals(1, exec("kill -9 $$").code());
    JsonNode nack = service.request(NACK).json();
    assertEquals("the exit code was 137", nack.path("reason").asText());
  }

  @Test
  void aReasonHasNoToken() {
    service.holds(message("m0", "two apples"));
    Result result = exec("echo 'refused: " + CAPABILITY + "' >&2; exit 1");
    assertEquals("refused: [token]", result.line().path("error").asText());
    assertEquals("refused: [token]", service.request(NACK).json().path("reason").asText());
  }

  @Test
  void aReasonHasAThousandCharacters() {
    service.holds(message("m0", "two apples"));
    exec("head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1", "--retry-delay", "0s");
    JsonNode nack = service.request(NACK).json();
    assertEquals("x".repeat(1024), nack.path("reason").asText());
    assertEquals(0, nack.path("delay_ms").asInt(-1));
  }

  @Test
  void oneMessageIsTakenAtATimeAndSomeMayFail() {
    service.holds(message("m0", "good")).holds(message("m1", "bad"));
    Result result = exec("read -r body; [ \"$body\" = good ]", "-n", "5");
    assertEquals(1, result.code());
    assertEquals(2, result.lines().size());
    assertEquals(1, service.requests("POST /v1/recv").get(0).json().path("max_messages").asInt());
    assertEquals("m0", service.request(ACK).json().path("msg_id").asText());
    assertEquals("m1", service.request(NACK).json().path("msg_id").asText());
  }

  @Test
  void aBodyThatIsNotReadIsNoFailure() {
    service.holds(message("m0", "x".repeat(1 << 20)));
    assertEquals(0, exec("exit 0").code());
  }

  @Test
  void nothingToWorkOnHasACodeOfItsOwn() {
    assertEquals(6, exec("exit 0").code());
  }

  @Test
  void theLeaseIsExtendedWhileTheCommandRuns() {
    service.holds(message("m0", "two apples").put("visibility_ms", 3_000));
    Path go = directory.resolve("go");
    // It ends after the second extension, however slow this machine is.
    service.next(EXTEND, 200, "{\"ok\":true}");
    service.next(
        EXTEND,
        exchange -> {
          Files.createFile(go);
          FakeService.write(exchange, 200, "{\"ok\":true}");
        });
    assertEquals(0, exec("until [ -e " + go + " ]; do sleep 0.02; done").code());
    JsonNode extension = service.requests(EXTEND).get(0).json();
    assertEquals("receipt-m0", extension.path("receipt").asText());
    assertEquals(3_000, extension.path("visibility_ms").asInt());
  }

  /** As on a connection that the network has forgotten. */
  @Test
  void anExtensionThatHangsIsMadeAgain() throws Exception {
    service.holds(message("m0", "two apples").put("visibility_ms", 6_000));
    Path go = directory.resolve("go");
    CountDownLatch release = new CountDownLatch(1);
    service.next(EXTEND, exchange -> release.await());
    service.next(
        EXTEND,
        exchange -> {
          Files.createFile(go);
          FakeService.write(exchange, 200, "{\"ok\":true}");
        });
    assertEquals(0, exec("until [ -e " + go + " ]; do sleep 0.02; done").code());
    release.countDown();
  }

  @Test
  void aLeaseThatIsOverByTheClockEndsTheCommandAndSettlesNothing() throws Exception {
    service.holds(message("m0", "two apples").put("visibility_ms", 1_000));
    CountDownLatch release = new CountDownLatch(1);
    for (int i = 0; i < 50; i++) {
      service.next(EXTEND, exchange -> release.await());
    }
    long begun = System.nanoTime();
    Result result = exec("sleep 60");
    release.countDown();
    assertTrue(System.nanoTime() - begun < Duration.ofSeconds(8).toNanos());
    assertTrue(result.line().path("error").asText().contains("lease"), result::toString);
    assertEquals(List.of(), service.requests(ACK));
    assertEquals(List.of(), service.requests(NACK));
  }

  /** Another receiver may have the message. */
  @Test
  void aLostLeaseEndsTheCommandAndSettlesNothing() {
    service.holds(message("m0", "two apples").put("visibility_ms", 60));
    service.nextProblem(EXTEND, 410, "E_RECEIPT", ",\"why\":\"superseded\",\"msg_id\":\"m0\"");
    Result result = exec("sleep 60");
    assertEquals(1, result.code());
    assertTrue(result.line().path("error").asText().contains("lease"), result::toString);
    assertEquals(List.of(), service.requests(ACK));
    assertEquals(List.of(), service.requests(NACK));
  }

  @Test
  void anInterruptEndsTheCommandAndGivesTheMessageBack() throws Exception {
    Path file = directory.resolve("pid");
    service.holds(message("m0", "two apples"));
    CompletableFuture<Result> ended = new CompletableFuture<>();
    Thread receiver =
        new Thread(
            () ->
                ended.complete(
                    exec(
                        "sleep 60 & echo $! > "
                            + file
                            + ".part; mv "
                            + file
                            + ".part "
                            + file
                            + "; wait")));
    receiver.start();
    Deadline.in(Duration.ofSeconds(20)).await(() -> Files.exists(file), () -> "the command");
    ProcessHandle grandchild =
        ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
    receiver.interrupt();
    assertEquals(130, ended.get(20, TimeUnit.SECONDS).code());
    assertEquals(0, service.request(NACK).json().path("delay_ms").asInt(-1));
    grandchild.onExit().get(20, TimeUnit.SECONDS);
  }
}
