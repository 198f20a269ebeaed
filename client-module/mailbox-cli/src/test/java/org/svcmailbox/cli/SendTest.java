package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.capability.Caveat;

class SendTest extends CliTest {
  private static final String SEND = "POST /v1/send";
  private static final String BATCH = "POST /v1/send/batch";

  SendTest() throws IOException {}

  private static String payload(JsonNode message) {
    byte[] bytes = Base64.getDecoder().decode(message.path("payload").asText());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The bodies of all messages, in the order they were sent. */
  private List<String> sent() {
    List<String> bodies = new ArrayList<>();
    for (FakeService.Request request : service.requests()) {
      JsonNode json = request.json();
      if (json.has("messages")) {
        json.path("messages").forEach(message -> bodies.add(payload(message)));
      } else {
        bodies.add(payload(json));
      }
    }
    return bodies;
  }

  @Test
  void aFileIsOneMessage() throws IOException {
    Path file = write("body", "two apples\nand a pear\n");
    Result result = run("send", "orders", file.toString());
    assertEquals(0, result.code(), result::err);
    JsonNode message = service.request(SEND).json();
    assertEquals("two apples\nand a pear\n", payload(message));
    assertEquals("orders", message.path("topic").asText());
    assertEquals("id-" + message.path("idem_key").asText(), result.line().path("msg_id").asText());
    assertFalse(result.line().path("duplicate").asBoolean());
  }

  @Test
  void standardInputWithoutAKeyIsAnotherMessageEachTime() {
    input("ping");
    run("send", "orders");
    input("ping");
    run("send", "orders", "-");
    assertEquals(List.of("ping", "ping"), sent());
    assertEquals(2, service.messages());
  }

  @Test
  void optionsTravel() throws IOException {
    input("apple");
    run(
        ("send orders --key k1 --group g1 --delay 1500ms --attr colour=red --attr size=7 "
                + "--corr-id c1")
            .split(" ", -1));
    JsonNode message = service.request(SEND).json();
    assertEquals("k1", message.path("idem_key").asText());
    assertEquals("g1", message.path("shard_key").asText());
    assertEquals(1500, message.path("delay_ms").asLong());
    assertEquals(
        FakeService.MAPPER.readTree("{\"colour\":\"red\",\"size\":\"7\"}"), message.path("attrs"));
    assertEquals("c1", message.path("corr_id").asText());
  }

  @Test
  void aKeyWithAnotherBodyIsRefused() {
    service.nextProblem(SEND, 409, "E_DUPLICATE", ",\"detail\":\"another payload\"");
    Result result = run("send", "orders", "--key", "k1");
    assertEquals(3, result.code());
    assertTrue(result.err().contains("E_DUPLICATE"), result.err());
    assertEquals("", result.out());
  }

  @Test
  void linesThatAreRunAgainAreDuplicates() {
    String lines = "one\n\ntwo\ntwo\nthree";
    input(lines);
    Result first = run("send", "orders", "--lines");
    assertEquals(0, first.code(), first::err);
    assertEquals(List.of("one", "two", "two", "three"), sent());
    assertEquals(
        List.of(1L, 3L, 4L, 5L),
        first.lines().stream().map(line -> line.path("line").asLong()).toList());
    assertTrue(first.lines().stream().noneMatch(line -> line.path("duplicate").asBoolean()));

    input(lines);
    Result second = run("send", "orders", "--lines");
    assertEquals(4, service.messages(), "the same line twice is two messages, and no more");
    assertTrue(second.lines().stream().allMatch(line -> line.path("duplicate").asBoolean()));
  }

  @Test
  void keysOfLinesBeginAsTheCapabilityWants() throws IOException {
    Capability narrow = Capability.parse(CAPABILITY).narrow(Caveat.keyPrefix("app1:"));
    environment.put("MAILBOX_TOKEN_FILE", write("narrow.cap", narrow.token()).toString());
    input("one");
    assertEquals(0, run("send", "orders", "--lines").code());
    input("two");
    assertEquals(0, run("send", "orders").code());
    List<String> keys =
        service.requests().stream()
            .map(request -> request.json().findValue("idem_key").asText())
            .toList();
    assertEquals(2, keys.size());
    assertTrue(keys.get(0).startsWith("app1:line-"), keys.toString());
    assertTrue(keys.get(1).startsWith("app1:"), keys.toString());
  }

  @Test
  void keysComeFromTheJsonAndLinesWithoutAreRejected() throws IOException {
    input(
        "{\"id\":\"a\",\"v\":1}\n{\"id\":17}\nnone\n{\"id\":{}}\n{\"other\":1}\n[1]\n{\"id\":null}\n");
    Path rejects = directory.resolve("rejects");
    Result result =
        run("send", "orders", "--lines", "--key-from", "/id", "--rejects", rejects.toString());
    assertEquals(1, result.code());
    List<String> keys = new ArrayList<>();
    service
        .requests()
        .forEach(
            request ->
                request.json().findValues("idem_key").forEach(key -> keys.add(key.asText())));
    assertEquals(List.of("a", "17"), keys);
    assertEquals(
        "none\n{\"id\":{}}\n{\"other\":1}\n[1]\n{\"id\":null}\n", Files.readString(rejects));
    assertEquals(
        List.of(3L, 4L, 5L, 6L, 7L),
        result.lines().stream()
            .filter(line -> line.has("error"))
            .map(line -> line.path("line").asLong())
            .toList());
  }

  @Test
  void aLineThatIsRefusedGoesToTheRejectsAndTheOthersAreSent() throws IOException {
    Path rejects = directory.resolve("rejects");
    Path lines =
        write("lines", "{\"id\":1,\"v\":1}\n{\"id\":1,\"v\":2}\n" + "x".repeat(1 << 20) + "y\n");
    Result result =
        run(
            "send",
            "orders",
            lines.toString(),
            "--lines",
            "--key-from=/id",
            "--rejects=" + rejects);
    assertEquals(1, result.code());
    assertEquals(3, result.lines().size());
    assertEquals(1, service.messages());
    assertTrue(Files.readString(rejects).startsWith("{\"id\":1,\"v\":2}\nxxx"));
  }

  @Test
  void aServiceThatIsAwayEndsTheCommandAndItsLinesAreNoRejects() throws IOException {
    Path rejects = directory.resolve("rejects");
    input("one\ntwo\n");
    service.nextProblem(BATCH, 503, "E_UNAVAILABLE", ",\"retry_after_ms\":60000");
    Result result =
        run("send", "orders", "--lines", "--timeout=1s", "--rejects", rejects.toString());
    assertEquals(4, result.code());
    assertEquals("", Files.readString(rejects));
    assertEquals("", result.out());
  }

  @Test
  void deniedLinesEndTheCommandAtOnce() {
    input("one\n".repeat(250));
    service.nextProblem(BATCH, 403, "E_CAP_SCOPE", ",\"reason\":\"operation\"");
    assertEquals(3, run("send", "orders", "--lines").code());
    assertEquals(1, service.requests().size());
  }

  @Test
  void batchesAreFullAndInOrder() {
    List<String> lines = IntStream.range(0, 250).mapToObj(i -> "line " + i).toList();
    input(String.join("\n", lines));
    assertEquals(0, run("send", "orders", "--lines").code());
    assertEquals(lines, sent());
    assertEquals(3, service.requests(BATCH).size());
  }

  @Test
  void equalLinesAreMessagesOfTheirOwnInEveryBatch() {
    for (int run = 0; run < 2; run++) {
      input("one\n".repeat(250));
      assertEquals(0, run("send", "orders", "--lines").code());
      assertEquals(250, service.messages());
    }
  }

  @Test
  void aBatchHasAMebibyteAtMost() {
    String long1 = "a".repeat(700_000);
    String long2 = "b".repeat(700_000);
    input(long1 + "\n" + long2 + "\n");
    assertEquals(0, run("send", "orders", "--lines").code());
    assertEquals(2, service.requests(SEND).size());
    assertEquals(List.of(long1, long2), sent());
  }

  /** As of a program that writes a line now and then. */
  @Test
  void linesThatAreThereAreSentBeforeTheNextIs() throws Exception {
    PipedOutputStream writer = new PipedOutputStream();
    in = new PipedInputStream(writer);
    Thread sender = new Thread(() -> run("send", "orders", "--lines"));
    sender.start();
    writer.write("one\ntwo".getBytes(StandardCharsets.UTF_8));
    writer.flush();
    service.await(SEND);
    assertEquals(List.of("one"), sent());
    writer.write("!\n".getBytes(StandardCharsets.UTF_8));
    writer.close();
    sender.join(20_000);
    assertEquals(List.of("one", "two!"), sent());
  }

  @Test
  void anInterruptEndsASend() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    service.next(SEND, exchange -> gate.await());
    CompletableFuture<Result> ended = new CompletableFuture<>();
    Thread sender = new Thread(() -> ended.complete(run("send", "orders")));
    sender.start();
    service.await(SEND);
    sender.interrupt();
    Result result = ended.get(20, TimeUnit.SECONDS);
    gate.countDown();
    assertEquals(130, result.code(), result::toString);
    assertEquals("", result.out());
  }

  @Test
  void noLinesAreDone() {
    assertEquals(0, run("send", "orders", "--lines").code());
    assertEquals(0, service.requests().size());
  }

  @Test
  void whatWasSentIsToldAsFarAsItCanBe() {
    input("apple");
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertEquals(141, run(new BrokenStream(0), err, "send", "orders"));
    assertEquals("", err.toString(UTF_8), "head(1) had enough");
    assertEquals(1, service.messages());
    input("pear");
    OutputStream full = new BrokenStream(0, "No space left on device");
    assertEquals(1, run(full, err, "send", "orders"));
    assertEquals(
        "mailbox: standard output cannot be written: No space left on device\n",
        err.toString(UTF_8));
  }

  @Test
  void theKeyOfALineDependsOnItsPlace() {
    LineKeys keys = new LineKeys(null, "");
    byte[] line = "one".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        "line-a593b2dc5e87fb5a8529392a96f024d3bfeee012a36d33e0f979233959221752",
        keys.key(line, 1),
        "the key that earlier runs of this command have sent");
    assertNotEquals(keys.key(line, 1), keys.key(line, 2));
    assertNotEquals(keys.key(line, 1), keys.key("two".getBytes(StandardCharsets.UTF_8), 1));
  }
}
