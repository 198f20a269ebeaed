package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;

/** {@code POST /v1/recv/stream}: lines, window, ends, cuts and resumptions. */
@Order(1)
@ContractTest
class RecvStreamIT {
  private static final String PATH = "/v1/recv/stream";

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("stream");

  RecvStreamIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  private Fields request() {
    return Fields.of("topic", topic).with("visibility_ms", 60_000);
  }

  private MessageStream open(Fields request) throws IOException {
    MessageStream stream = MessageStream.open(server.target(), request);
    assertEquals(200, stream.status(), () -> "" + stream.header("content-type"));
    return stream;
  }

  private MessageStream resume(MessageStream cut, Fields request) throws IOException {
    MessageStream stream = open(request.with("resume", cut.resume()));
    stream.next("open");
    return stream;
  }

  private void send(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      client.send(topic, TestTopics.fresh("key"), new byte[] {(byte) i}).expect(200);
    }
  }

  @Test
  void messagesComeAsTheyAreSent() throws IOException {
    try (MessageStream stream = open(request())) {
      assertEquals("application/x-ndjson", stream.header("content-type"));
      assertEquals("no-store, no-transform", stream.header("cache-control"));
      assertEquals("no", stream.header("x-accel-buffering"));
      assertEquals("", stream.header("content-encoding"));
      JsonNode open = stream.next("open");
      assertEquals(100, open.path("window").asInt());
      assertTrue(open.path("stream").asText().matches("[A-Za-z0-9-]{1,64}"));
      for (int i = 1; i <= 3; i++) {
        send(1);
        JsonNode line = stream.next("message");
        assertEquals(i, line.path("n").asLong());
        Message message = new Message(line.path("message"));
        assertArrayEquals(new byte[] {0}, message.payload());
        assertEquals(1, message.attempt());
        assertTrue(message.isIntact());
        client.ack(message).expect(200);
      }
    }
  }

  @Test
  void aMessageIsTheSameAsByRecv() throws IOException {
    client
        .send(
            Fields.send(topic, "key", new byte[] {1, 2})
                .with("attrs", Fields.of("colour", "rot\u00df"))
                .with("corr_id", "corr"))
        .expect(200);
    Message received = client.recvAll(request(), 1).get(0);
    client.nack(received, Fields.of("reason", "again")).expect(200);
    try (MessageStream stream = open(request())) {
      stream.next("open");
      Message streamed = stream.messages(1).get(0);
      received
          .json()
          .fieldNames()
          .forEachRemaining(name -> assertFalse(streamed.json().path(name).isMissingNode(), name));
      for (String name : List.of("msg_id", "ts", "attrs", "corr_id", "payload", "hash_chain")) {
        assertEquals(received.json().path(name), streamed.json().path(name));
      }
      assertEquals(2, streamed.attempt());
      assertEquals("again", streamed.text("last_error"));
    }
  }

  @Test
  void aLargeMessageArrivesWhole() throws IOException {
    byte[] payload = new byte[1 << 20];
    new Random(1).nextBytes(payload);
    client.send(topic, "large", payload).expect(200);
    try (MessageStream stream = open(request().with("window_bytes", 1))) {
      stream.next("open");
      Message message = stream.messages(1).get(0);
      assertArrayEquals(payload, message.payload());
      assertTrue(message.isIntact());
    }
  }

  @Test
  void silenceIsBrokenByHeartbeats() throws IOException {
    send(1);
    try (MessageStream stream = open(request().with("window", 1))) {
      stream.next("open");
      stream.messages(1);
      long before = System.nanoTime();
      JsonNode line = stream.next();
      Duration elapsed = Duration.ofNanos(System.nanoTime() - before);
      assertNotNull(line);
      assertEquals("heartbeat", line.path("type").asText());
      assertEquals(1, line.path("unsettled").asInt());
      assertEquals("window", line.path("paused").asText());
      assertTrue(elapsed.toSeconds() >= 8 && elapsed.toSeconds() < 20, elapsed::toString);
    }
  }

  @Test
  void settlingReopensTheWindow() throws IOException {
    send(4);
    try (MessageStream stream = open(request().with("window", 2))) {
      stream.next("open");
      List<Message> two = stream.messages(2);
      assertTrue(stream.isQuietFor(Duration.ofMillis(500)));
      client.ack(two.get(0)).expect(200);
      Message third = stream.messages(1).get(0);
      assertTrue(stream.isQuietFor(Duration.ofMillis(300)));
      client.nack(two.get(1), Fields.of("delay_ms", 60_000)).expect(200);
      Message fourth = stream.messages(1).get(0);
      assertEquals(List.of(1, 1), List.of(third.attempt(), fourth.attempt()));
    }
  }

  @Test
  void anExpiredLeaseReopensTheWindow() throws IOException {
    send(1);
    try (MessageStream stream = open(request().with("window", 1).with("visibility_ms", 500))) {
      stream.next("open");
      assertEquals(1, stream.messages(1).get(0).attempt());
      assertEquals(2, stream.messages(1).get(0).attempt());
    }
  }

  @Test
  void aClientThatWasCutGoesOnWhereItWas() throws IOException {
    send(5);
    MessageStream cut = open(request());
    cut.next("open");
    List<Message> before = cut.messages(3);
    cut.close();
    try (MessageStream stream = resume(cut, request())) {
      List<Message> after = stream.messages(2);
      after.forEach(message -> assertEquals(1, message.attempt(), "unspent"));
      client.ackBatch(before).expect(200);
      client.ackBatch(after).expect(200);
    }
    assertEquals(List.of(), client.recv(topic).messages());
  }

  @Test
  void onlyTheNextResumptionCounts() throws IOException {
    MessageStream cut = open(request());
    cut.next("open");
    cut.close();
    resume(cut, request()).close();
    try (MessageStream late =
        MessageStream.open(server.target(), request().with("resume", cut.resume()))) {
      assertEquals(404, late.status());
    }
  }

  @Test
  void aStreamThatIsOpenIsTakenOver() throws IOException {
    send(2);
    try (MessageStream first = open(request().with("window", 2))) {
      first.next("open");
      List<Message> held = first.messages(2);
      try (MessageStream second = resume(first, request().with("window", 2))) {
        assertEquals(List.of(), first.untilCut());
        assertTrue(second.isQuietFor(Duration.ofMillis(300)), "the window is full");
        client.ackBatch(held).expect(200);
        send(1);
        assertEquals(1, second.messages(1).get(0).attempt());
      }
    }
  }

  @Test
  void anotherCapabilityDoesNotResume() throws IOException {
    try (MessageStream stream = open(request())) {
      stream.next("open");
      MailboxClient other = client.with(client.mint());
      try (MessageStream stolen =
          MessageStream.open(other.target(), request().with("resume", stream.resume()))) {
        assertEquals(404, stolen.status());
        assertEquals("E_NOT_FOUND", stolen.problem().path("code").asText());
      }
      send(1);
      stream.messages(1);
    }
  }

  @Test
  @OnlyOnWildFly("a client that hangs up ends its RECV (`disconnect`)")
  void aClientThatWantsItHasItsMessagesFailWhenItIsGone() throws IOException {
    send(1);
    MessageStream cut = open(request().with("on_close", "nack"));
    cut.next("open");
    cut.messages(1);
    cut.close();
    Message again = client.recvAll(Fields.of("topic", topic).with("wait_ms", 20_000), 1).get(0);
    assertEquals(2, again.attempt());
    assertEquals("the stream was cut", again.text("last_error"));
  }

  @Test
  @OnlyOnWildFly("a client that hangs up ends its RECV (`disconnect`)")
  void aClientThatIsGoneTakesNoMore() throws IOException {
    MessageStream cut = open(request());
    cut.next("open");
    cut.close();
    // The server has seen it by then.
    MessageStream resumed = resume(cut, request());
    resumed.close();
    send(1);
    Message message = client.recvAll(Fields.of("topic", topic).with("wait_ms", 20_000), 1).get(0);
    assertEquals(1, message.attempt());
  }

  @Test
  void aRevokedCapabilityEndsItsStreams() throws IOException {
    String token = client.mint();
    try (MessageStream stream = MessageStream.open(server.target().with(token), request())) {
      stream.next("open");
      client.post("/v1/capabilities/revoke", Fields.of("capability", token)).expect(200);
      JsonNode end = stream.next("end");
      assertEquals("capability", end.path("reason").asText());
      assertEquals("E_CAP_AUTH", end.path("problem").path("code").asText());
      assertEquals("revoked", end.path("problem").path("reason").asText());
      assertEquals(null, stream.next());
    }
  }

  @Test
  void aDeletedTopicEndsItsStreams() throws IOException {
    client.putTopic(topic, Fields.NONE);
    try (MessageStream stream = open(request())) {
      stream.next("open");
      client.deleteTopic(topic).expect(200);
      JsonNode end = stream.next("end");
      assertEquals("topic", end.path("reason").asText());
      assertTrue(end.path("problem").isMissingNode());
      assertEquals(null, stream.next());
    }
  }

  @Test
  void aPausedTopicPausesItsStreams() throws IOException {
    client.putTopic(topic, Fields.NONE);
    client.post("/v1/topics/" + topic + "/pause", Fields.NONE).expect(200);
    send(1);
    try (MessageStream stream = open(request())) {
      stream.next("open");
      JsonNode line = stream.next();
      assertNotNull(line);
      assertEquals("topic", line.path("paused").asText(), line::toString);
      client.post("/v1/topics/" + topic + "/resume", Fields.NONE).expect(200);
      stream.messages(1);
    }
  }

  @Test
  void otherMethodsAreToldWhatToDo() throws IOException {
    MailboxAnswer answer = client.get(PATH).expect(405);
    assertEquals("POST", answer.headers().firstValue("allow").orElse(""));
    assertTrue(answer.json().path("detail").asText().contains("POST"));
  }

  @Test
  void theClientHasToAcceptLines() throws IOException {
    client.withHeaders(Map.of("Accept", "application/json")).post(PATH, request()).expect(406);
  }

  @ParameterizedTest
  @CsvSource({
    "wait_ms, 5, 400, E_SCHEMA",
    "window, 0, 400, E_SCHEMA",
    "window, 1001, 400, E_SCHEMA",
    "window_bytes, 8388609, 400, E_SCHEMA",
    "visibility_ms, 1, 400, E_SCHEMA",
    "shard, 4000, 404, E_NOT_FOUND",
  })
  void aWrongFieldIsRefused(String field, long value, int status, String code) throws IOException {
    try (MessageStream refused =
        MessageStream.open(server.target(), request().with(field, value))) {
      assertEquals(status, refused.status());
      assertEquals("application/problem+json", refused.header("content-type"));
      assertEquals(code, refused.problem().path("code").asText());
    }
  }

  @Test
  void theRightsAreThoseOfRecv() throws IOException {
    assertEquals(403, status("topic = some.other.topic", request()));
    assertEquals(403, status("ops = send,ack", request()));
    assertEquals(403, status("ops = recv", request().with("on_close", "nack")));
    assertEquals(200, status("ops = recv", request()));
    assertEquals(200, status("ops = recv,nack", request().with("on_close", "nack")));
  }

  private int status(String caveat, Fields request) throws IOException {
    try (MessageStream stream =
        MessageStream.open(server.target().with(client.mint(caveat)), request)) {
      return stream.status();
    }
  }
}
