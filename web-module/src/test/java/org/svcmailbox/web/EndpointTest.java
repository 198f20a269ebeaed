package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.SampleMessages.TRACE;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.ejb.EJBException;
import jakarta.servlet.ServletException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendOutcome.HashMismatch;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.CountedNodes;
import org.svcmailbox.web.HttpCalls.Answer;

/** The endpoints over HTTP, with a mailbox whose outcomes the test sets. */
class EndpointTest {
  private static final String SEND =
      "{\"topic\": \"orders\", \"payload\": \"AAEC\", \"idem_key\": \"k-1\"}";
  private static final MsgId MSG_ID = MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  private static final String SETTLE = "{\"msg_id\": \"" + MSG_ID + "\"}";

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  EndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private static void assertProblem(int status, String code, Answer answer) throws Exception {
    assertEquals(status, answer.status(), answer.response().body());
    assertEquals("application/problem+json", answer.header("content-type"));
    assertEquals("nosniff", answer.header("x-content-type-options"));
    JsonNode problem = answer.json();
    assertEquals(status, problem.path("status").asInt());
    assertEquals(code, problem.path("code").asText());
    assertEquals("urn:svc-mailbox:problem:" + code, problem.path("type").asText());
    assertFalse(problem.path("title").asText().isEmpty());
    assertFalse(problem.path("detail").asText().isEmpty());
    assertEquals(answer.response().request().uri().getRawPath(), problem.path("instance").asText());
  }

  @Test
  void sendPassesOnAllFields() throws Exception {
    server.mailbox.onSend = request -> CompletableFuture.completedStage(new Accepted(MSG_ID, true));
    Answer answer =
        calls.post(
            "/v1/send",
            """
            {"topic": "orders", "payload": "AAEC", "idem_key": "k-1", "attrs": {"a": "b"},
             "corr_id": "c", "shard_key": "s", "delay_ms": 10, "ttl_ms": 20, "sig": "x",
             "payload_hash": "b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}
            """);
    assertEquals(200, answer.status());
    assertEquals("application/json", answer.header("content-type"));
    assertEquals("{\"msg_id\":\"" + MSG_ID + "\",\"duplicate\":true}", answer.response().body());
    assertEquals(
        new SendRequest(
            new TopicName("orders"),
            Payload.owning(new byte[] {0, 1, 2}),
            new IdemKey("k-1"),
            new Attributes(Map.of("a", "b")),
            new CorrId("c"),
            new ShardKey("s"),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Digest.parse("b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
            new Signature("x"),
            null),
        server.mailbox.next(SendRequest.class));
  }

  @Test
  void sendHandsOnTheTraceItIsPartOf() throws Exception {
    calls.call(
        calls
            .request("POST", "/v1/send", BodyPublishers.ofString(SEND))
            .header("TraceParent", TRACE.parent())
            .header("tracestate", "rojo=1")
            .header("TRACESTATE", "congo=t61rcWkgMzE"));
    assertEquals(TRACE, server.mailbox.next(SendRequest.class).trace());
  }

  @Test
  void everySendOfABatchIsPartOfItsTrace() throws Exception {
    String batch = "{\"messages\": [" + SEND + "," + SEND + "]}";
    Answer answer =
        calls.call(
            calls
                .request("POST", "/v1/send/batch", BodyPublishers.ofString(batch))
                .header("traceparent", TRACE.parent()));
    assertEquals(200, answer.status());
    TraceContext stateless = new TraceContext(TRACE.parent(), null);
    assertEquals(stateless, server.mailbox.next(SendRequest.class).trace());
    assertEquals(stateless, server.mailbox.next(SendRequest.class).trace());
  }

  @Test
  void aMessageOfABatchCanHaveATraceOfItsOwn() throws Exception {
    String own =
        SEND.replace(
            "}",
            ", \"traceparent\": \""
                + TRACE.parent().replace('4', '5')
                + "\", \"tracestate\": \"own=1\"}");
    calls.call(
        calls
            .request(
                "POST",
                "/v1/send/batch",
                BodyPublishers.ofString("{\"messages\": [" + own + "," + SEND + "]}"))
            .header("traceparent", TRACE.parent()));
    assertEquals(
        new TraceContext(TRACE.parent().replace('4', '5'), "own=1"),
        server.mailbox.next(SendRequest.class).trace());
    assertEquals(
        new TraceContext(TRACE.parent(), null), server.mailbox.next(SendRequest.class).trace());
  }

  @Test
  void aTraceInAMessageThatCannotBeUnderstoodIsRefused() throws Exception {
    Map<String, String> refused =
        Map.of(
            "\"traceparent\": \"00-x\"",
            "traceparent",
            "\"tracestate\": \"own=1\"",
            "traceparent",
            "\"traceparent\": \"" + TRACE.parent() + "\", \"tracestate\": \"=\"",
            "tracestate");
    for (Map.Entry<String, String> each : refused.entrySet()) {
      Answer answer = calls.post("/v1/send", SEND.replace("}", ", " + each.getKey() + "}"));
      assertProblem(400, "E_SCHEMA", answer);
      assertEquals(List.of(each.getValue()), answer.fields());
    }
  }

  @Test
  void aTraceThatCannotBeUnderstoodIsNoError() throws Exception {
    Answer twice =
        calls.call(
            calls
                .request("POST", "/v1/send", BodyPublishers.ofString(SEND))
                .header("traceparent", TRACE.parent())
                .header("traceparent", TRACE.parent())
                .header("tracestate", "rojo=1"));
    assertEquals(200, twice.status());
    assertNull(server.mailbox.next(SendRequest.class).trace());
  }

  @Test
  void sendIsAnsweredWhenTheMailboxIsDoneAndNotBefore() throws Exception {
    CompletableFuture<org.svcmailbox.core.delivery.SendOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onSend = request -> outcome;
    var response = calls.begin("/v1/send", SEND);
    server.mailbox.next(SendRequest.class);
    assertFalse(response.isDone());
    outcome.complete(new Accepted(MSG_ID, false));
    assertEquals(200, response.join().statusCode());
  }

  @Test
  void manyCallsWaitWithoutAThreadEach() throws Exception {
    CompletableFuture<org.svcmailbox.core.delivery.SendOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onSend = request -> outcome;
    var responses =
        java.util.stream.Stream.generate(() -> calls.begin("/v1/send", SEND)).limit(50).toList();
    for (int i = 0; i < responses.size(); i++) {
      try {
        server.mailbox.next(SendRequest.class); // with 8 threads, all 50 arrive
      } catch (AssertionError e) {
        var early =
            responses.stream()
                .filter(CompletableFuture::isDone)
                .map(response -> response.join().statusCode() + " " + response.join().body())
                .toList();
        throw new AssertionError(i + " of " + responses.size() + " came; answered: " + early, e);
      }
    }
    outcome.complete(new Accepted(MSG_ID, false));
    for (var response : responses) {
      assertEquals(200, response.join().statusCode());
    }
  }

  @Test
  void everySendOutcomeThatIsNoSuccessIsAProblem() throws Exception {
    server.mailbox.onSend = request -> CompletableFuture.completedStage(new KeyConflict(MSG_ID));
    Answer conflict = calls.post("/v1/send", SEND);
    assertProblem(409, "E_DUPLICATE", conflict);
    assertEquals(MSG_ID.toString(), conflict.json().path("msg_id").asText());

    server.mailbox.onSend = request -> CompletableFuture.completedStage(new HashMismatch());
    assertProblem(422, "E_INTEGRITY", calls.post("/v1/send", SEND));

    server.mailbox.onSend =
        request ->
            CompletableFuture.completedStage(
                Refusal.saturated("shard_capacity", "Full", Duration.ofMillis(1001)));
    Answer saturated = calls.post("/v1/send", SEND);
    assertProblem(429, "E_SATURATED", saturated);
    assertEquals("2", saturated.header("retry-after"));
    assertEquals(1001, saturated.json().path("retry_after_ms").asLong());
    assertEquals("shard_capacity", saturated.json().path("reason").asText());

    server.mailbox.onSend =
        request ->
            CompletableFuture.completedStage(
                Refusal.unavailable("draining", "Going away", Duration.ZERO));
    Answer unavailable = calls.post("/v1/send", SEND);
    assertProblem(503, "E_UNAVAILABLE", unavailable);
    assertEquals("1", unavailable.header("retry-after"));
  }

  @Test
  void anExceptionOfTheMailboxIsAProblemForEveryWrapper() throws Exception {
    NotFoundException none = new NotFoundException("No topic orders");
    for (RuntimeException thrown :
        List.of(none, new EJBException(none), new CompletionException(new EJBException(none)))) {
      server.mailbox.onSend =
          request -> {
            throw thrown;
          };
      assertProblem(404, "E_NOT_FOUND", calls.post("/v1/send", SEND));
      server.mailbox.onSend = request -> CompletableFuture.failedStage(thrown);
      assertProblem(404, "E_NOT_FOUND", calls.post("/v1/send", SEND));
    }
  }

  @Test
  void aServerErrorShowsOnlyItsCorrelationId() throws Exception {
    server.mailbox.onSend =
        request -> CompletableFuture.failedStage(new IllegalStateException("secret"));
    Answer failed = calls.post("/v1/send", SEND);
    assertProblem(500, "E_INTERNAL", failed);
    assertFalse(failed.json().path("corr_id").asText().isEmpty());
    assertFalse(failed.response().body().contains("secret"));
    assertFalse(failed.response().body().contains("IllegalState"));
  }

  @Test
  void aBatchIsAnsweredInOrderEachMessageForItself() throws Exception {
    server.mailbox.onSend =
        request ->
            switch (request.idemKey().value()) {
              case "conflict" -> CompletableFuture.completedStage(new KeyConflict(MSG_ID));
              case "altered" -> CompletableFuture.completedStage(new HashMismatch());
              case "missing" -> throw new NotFoundException("No topic");
              case "broken" -> CompletableFuture.failedStage(new IllegalStateException("secret"));
              default -> CompletableFuture.completedStage(new Accepted(MSG_ID, false));
            };
    String messages =
        java.util.stream.Stream.of("a", "conflict", "missing", "broken", "b", "altered")
            .map(key -> SEND.replace("k-1", key))
            .collect(java.util.stream.Collectors.joining(","));
    Answer answer = calls.post("/v1/send/batch", "{\"messages\": [" + messages + "]}");
    assertEquals(200, answer.status());
    JsonNode results = answer.json().path("results");
    assertEquals(6, results.size());
    assertEquals("E_INTEGRITY", results.get(5).path("error").path("code").asText());
    assertEquals(MSG_ID.toString(), results.get(0).path("msg_id").asText());
    assertEquals("E_DUPLICATE", results.get(1).path("error").path("code").asText());
    assertEquals("E_NOT_FOUND", results.get(2).path("error").path("code").asText());
    assertEquals("E_INTERNAL", results.get(3).path("error").path("code").asText());
    assertEquals(MSG_ID.toString(), results.get(4).path("msg_id").asText());
    assertFalse(answer.response().body().contains("secret"));
  }

  @Test
  void aMalformedElementRefusesTheWholeBatch() throws Exception {
    Answer answer =
        calls.post(
            "/v1/send/batch",
            "{\"messages\": [" + SEND + ", {\"topic\": \"a b\", \"payload\": \"\"}, null]}");
    assertProblem(400, "E_SCHEMA", answer);
    assertEquals(
        List.of("messages[1].idem_key", "messages[1].topic", "messages[2]"),
        answer.fields().stream().sorted().toList());
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void theFrameOfABatchIsAllItsPayloadsTogether() throws Exception {
    String half = java.util.Base64.getEncoder().encodeToString(new byte[6000]);
    String message = SEND.replace("AAEC", half);
    assertEquals(200, calls.post("/v1/send/batch", "{\"messages\": [" + message + "]}").status());
    server.mailbox.next(SendRequest.class);
    Answer answer =
        calls.post("/v1/send/batch", "{\"messages\": [" + message + "," + message + "]}");
    assertProblem(413, "E_FRAME_TOO_LARGE", answer);
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void receivedMessagesCarryTheirWholeEnvelope() throws Exception {
    Instant ts = Instant.parse("2026-01-02T03:04:05.006Z");
    Payload payload = Payload.owning(new byte[] {1, 2, (byte) 0xff});
    Attributes attrs = new Attributes(Map.of("a", "ä\""));
    TopicName topic = new TopicName("orders");
    IdemKey key = new IdemKey("k");
    Envelope envelope =
        new Envelope(
            MSG_ID,
            topic,
            ts,
            key,
            payload.hash(),
            attrs,
            new CorrId("c"),
            3,
            17,
            2,
            HashChain.of(topic, ts, key, payload.hash(), attrs),
            new Signature("s"));
    LeasedMessage leased =
        new LeasedMessage(
            new StoredMessage(envelope, payload, null, ts, TRACE)
                .failed(SampleMessages.refused(1, "no basket"), ts),
            new Receipt("r-1"),
            Duration.ofSeconds(5));
    server.mailbox.onRecv =
        request -> CompletableFuture.completedStage(new Delivered(List.of(leased)));

    Answer answer = calls.post("/v1/recv", "{\"topic\": \"orders\"}");
    assertEquals(200, answer.status());
    JsonNode message = answer.json().path("messages").get(0);
    assertEquals(MSG_ID.toString(), message.path("msg_id").asText());
    assertEquals("orders", message.path("topic").asText());
    assertEquals("2026-01-02T03:04:05.006Z", message.path("ts").asText());
    assertEquals("k", message.path("idem_key").asText());
    assertEquals(payload.hash().toString(), message.path("payload_hash").asText());
    assertEquals("ä\"", message.path("attrs").path("a").asText());
    assertEquals("c", message.path("corr_id").asText());
    assertEquals(3, message.path("shard").asInt());
    assertEquals(17, message.path("seq").asLong());
    assertEquals(2, message.path("attempt").asInt());
    assertEquals(envelope.hashChain().toString(), message.path("hash_chain").asText());
    assertEquals("s", message.path("sig").asText());
    assertEquals("AQL/", message.path("payload").asText());
    assertEquals("r-1", message.path("receipt").asText());
    assertEquals(5000, message.path("visibility_ms").asLong());
    assertEquals(TRACE.parent(), message.path("traceparent").asText());
    assertEquals(TRACE.state(), message.path("tracestate").asText());
    assertEquals("no basket", message.path("last_error").asText());
    assertEquals(18, message.size());
    assertEquals(0, server.mailbox.nextRecv().abandonments().availablePermits());
  }

  @Test
  void recvPassesOnAllFieldsAndHasDefaults() throws Exception {
    long maxBytesAllowed = 8L * TestSettings.MAX_FRAME;
    assertEquals(
        "{\"messages\":[]}", calls.post("/v1/recv", "{\"topic\": \"t\"}").response().body());
    assertEquals(
        new RecvRequest(new TopicName("t"), null, 1, maxBytesAllowed, Duration.ZERO, null),
        server.mailbox.next(RecvRequest.class));
    calls.post(
        "/v1/recv",
        """
        {"topic": "t", "visibility_ms": 250, "max_messages": 100, "max_bytes": 9,
         "wait_ms": 30000, "shard": 3}
        """);
    assertEquals(
        new RecvRequest(
            new TopicName("t"), Duration.ofMillis(250), 100, 9, Duration.ofSeconds(30), 3),
        server.mailbox.next(RecvRequest.class));
  }

  @Test
  void settlementsPassOnAllFields() throws Exception {
    String held = "{\"msg_id\": \"" + MSG_ID + "\", \"receipt\": \"r\"";
    Receipt receipt = new Receipt("r");
    assertEquals("{\"ok\":true}", calls.post("/v1/ack", held + "}").response().body());
    assertEquals(new SettleRequest.Ack(MSG_ID, receipt), server.mailbox.next(SettleRequest.class));
    calls.post("/v1/nack", held + ", \"reason\": \"no\", \"delay_ms\": 7}");
    assertEquals(
        new SettleRequest.Nack(MSG_ID, receipt, "no", Duration.ofMillis(7)),
        server.mailbox.next(SettleRequest.class));
    calls.post("/v1/nack", SETTLE);
    assertEquals(
        new SettleRequest.Nack(MSG_ID, null, null, null), server.mailbox.next(SettleRequest.class));
    calls.post("/v1/nack", held + ", \"reason\": \"never\", \"dead_letter\": true}");
    assertEquals(
        new SettleRequest.Reject(MSG_ID, receipt, "never"),
        server.mailbox.next(SettleRequest.class));
    calls.post("/v1/nack", held + ", \"dead_letter\": false}");
    assertEquals(
        new SettleRequest.Nack(MSG_ID, receipt, null, null),
        server.mailbox.next(SettleRequest.class));
    calls.post("/v1/extend", held + ", \"visibility_ms\": 1000}");
    assertEquals(
        new SettleRequest.Extend(MSG_ID, receipt, Duration.ofSeconds(1)),
        server.mailbox.next(SettleRequest.class));
  }

  @Test
  void batchesOfSettlementsHandOnEachElement() throws Exception {
    String rejected = SETTLE.replace("}", ", \"reason\": \"never\", \"dead_letter\": true}");
    Answer nacks = calls.post("/v1/nack/batch", "{\"nacks\": [" + SETTLE + "," + rejected + "]}");
    assertEquals("{\"results\":[{\"ok\":true},{\"ok\":true}]}", nacks.response().body());
    assertEquals(
        new SettleRequest.Nack(MSG_ID, null, null, null), server.mailbox.next(SettleRequest.class));
    assertEquals(
        new SettleRequest.Reject(MSG_ID, null, "never"), server.mailbox.next(SettleRequest.class));

    String extended = SETTLE.replace("}", ", \"visibility_ms\": 1000}");
    Answer extensions = calls.post("/v1/extend/batch", "{\"extends\": [" + extended + "]}");
    assertEquals("{\"results\":[{\"ok\":true}]}", extensions.response().body());
    assertEquals(
        new SettleRequest.Extend(MSG_ID, null, Duration.ofSeconds(1)),
        server.mailbox.next(SettleRequest.class));
  }

  @ParameterizedTest
  @CsvSource({"EXPIRED,expired", "SUPERSEDED,superseded", "ACKED,acked"})
  void aStaleReceiptSaysWhy(Why why, String text) throws Exception {
    server.mailbox.onSettle =
        request -> CompletableFuture.completedStage(new SettleOutcome.Stale(why));
    for (String path : List.of("/v1/ack", "/v1/nack")) {
      Answer stale = calls.post(path, SETTLE);
      assertProblem(410, "E_RECEIPT", stale);
      assertEquals(text, stale.json().path("why").asText());
    }
  }

  @Test
  void anExtensionBeyondTheLongestLeaseSaysWhatIsLeft() throws Exception {
    server.mailbox.onSettle =
        request ->
            CompletableFuture.completedStage(new SettleOutcome.TooLong(Duration.ofMillis(1_234)));
    String extend = SETTLE.replace("}", ", \"visibility_ms\": 5000}");
    Answer refused = calls.post("/v1/extend", extend);
    assertProblem(400, "E_SCHEMA", refused);
    assertLeft(refused.json());
    JsonNode results =
        calls.post("/v1/extend/batch", "{\"extends\": [" + extend + "]}").json().path("results");
    assertLeft(results.get(0).path("error"));
  }

  private static void assertLeft(JsonNode problem) {
    assertEquals("retention_inflight", problem.path("reason").asText());
    assertEquals(1_234, problem.path("left_ms").asLong());
    assertEquals("visibility_ms", problem.path("errors").get(0).path("field").asText());
  }

  @Test
  void anUnknownMessageIsNotFound() throws Exception {
    server.mailbox.onSettle = request -> CompletableFuture.completedStage(SettleOutcome.UNKNOWN);
    assertProblem(404, "E_NOT_FOUND", calls.post("/v1/ack", SETTLE));
    assertProblem(
        404,
        "E_NOT_FOUND",
        calls.post("/v1/extend", SETTLE.replace("}", ", \"visibility_ms\": 1000}")));
    JsonNode results =
        calls.post("/v1/ack/batch", "{\"acks\": [" + SETTLE + "]}").json().path("results");
    assertEquals("E_NOT_FOUND", results.get(0).path("error").path("code").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/send       | {}                                       | idem_key,payload,topic",
        "/v1/recv       | {\"topic\": \"t\", \"visibility_ms\": 249} | visibility_ms",
        "/v1/recv       | {\"topic\": \"t\", \"wait_ms\": 30001}     | wait_ms",
        "/v1/recv       | {\"topic\": \"t\", \"max_messages\": 101}  | max_messages",
        "/v1/ack        | {\"msg_id\": \"x\", \"receipt\": \"\"}     | msg_id,receipt",
        "/v1/ack        | {\"surprise\": 1}                        | surprise",
        "/v1/ack/batch  | {\"acks\": []}                           | acks",
        "/v1/nack       | {\"reason\": 7}                          | reason",
        "/v1/nack       | {\"dead_letter\": true}                  | msg_id,reason",
        "/v1/nack       | {\"dead_letter\": true, \"reason\": \" \", \"delay_ms\": 0}"
            + " | delay_ms,msg_id,reason",
        "/v1/nack       | {\"dead_letter\": \"true\"}              | dead_letter",
        "/v1/nack/batch | {\"nacks\": [{}]}                        | nacks[0].msg_id",
        "/v1/extend/batch | {\"extends\": []}                      | extends",
        "/v1/extend/batch | {\"extends\": [{\"msg_id\": 1}]}       | extends[0].msg_id",
        "/v1/extend     | {}                                       | msg_id,visibility_ms",
        "/v1/send/batch | {\"messages\": 7}                        | messages",
      })
  void malformedRequestsNameTheirFields(String path, String body, String fields) throws Exception {
    Answer answer = calls.post(path, body);
    assertProblem(400, "E_SCHEMA", answer);
    assertEquals(fields, String.join(",", answer.fields().stream().sorted().toList()));
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void topicsAreMadeChangedListedAndRemoved() throws Exception {
    Answer made = calls.put("/v1/topics/orders", "{\"ready_shards\": 2, \"t_replay\": \"90s\"}");
    assertEquals(201, made.status(), made.response().body());
    assertEquals(
        "{\"name\":\"orders\",\"version\":\"1.1\",\"ready_shards\":2,\"shard_capacity\":10000,\"t_replay\":\"90s\","
            + "\"max_attempts\":5,\"default_visibility\":\"5s\",\"backoff_base\":\"200ms\","
            + "\"backoff_max\":\"1m\",\"retention_ready\":\"7d\",\"retention_ready_count\":10000000,"
            + "\"retention_inflight\":\"12h\",\"retention_inflight_count\":20000,"
            + "\"retention_dlq\":\"14d\",\"retention_dlq_count\":1000000,"
            + "\"alert_ready_age\":\"5m\","
            + "\"overrides\":{\"ready_shards\":2,\"t_replay\":\"90s\"},"
            + "\"paused\":false,\"closing_shards\":0,"
            + "\"ready\":1,\"inflight\":2,\"delayed\":3,\"dlq\":4,\"saturation\":0.25,"
            + "\"dlq_profile\":\"durable\",\"oldest_ready_age_ms\":5}",
        made.response().body());
    String some = "{\"max_attempts\": 9, \"reprocess_after\": \"1h\"}";
    Answer changed = calls.patch("/v1/topics/orders?reset=t_replay", some);
    assertEquals(200, changed.status(), changed.response().body());
    assertEquals(9, changed.json().path("max_attempts").asInt());
    assertEquals(2, changed.json().path("ready_shards").asInt());
    assertEquals("5m", changed.json().path("t_replay").asText());
    changed = calls.patch("/v1/topics/orders?reset=reprocess_after", "{}");
    assertTrue(changed.json().path("reprocess_after").isMissingNode());
    assertEquals(9, changed.json().path("max_attempts").asInt());
    assertProblem(400, "E_SCHEMA", calls.patch("/v1/topics/orders?reset=colour", "{}"));
    assertEquals(404, calls.patch("/v1/topics/none", "{}").status());
    assertEquals(200, calls.put("/v1/topics/orders", "{}").status());
    assertEquals(5, calls.call("GET", "/v1/topics/orders").json().path("max_attempts").asInt());
    assertEquals(
        "{\"topics\":[{\"name\":\"orders\",\"paused\":false,\"depth\":6,\"ready\":5,"
            + "\"scheduled\":1,\"inflight\":2,\"dlq\":4,"
            + "\"saturation\":0.5,\"oldest_ready_age_ms\":5,"
            + "\"sent_per_s\":1.3,\"delivered_per_s\":0.5,\"acked_per_s\":0.0,"
            + "\"settings\":{\"ready_shards\":4,\"shard_capacity\":10000,\"t_replay\":\"5m\","
            + "\"max_attempts\":5,\"default_visibility\":\"5s\",\"backoff_base\":\"200ms\","
            + "\"backoff_max\":\"1m\",\"retention_ready\":\"7d\","
            + "\"retention_ready_count\":10000000,\"retention_inflight\":\"12h\","
            + "\"retention_inflight_count\":20000,\"retention_dlq\":\"14d\","
            + "\"retention_dlq_count\":1000000,\"alert_ready_age\":\"5m\"}}],\"matched\":1,"
            + "\"totals\":{\"topics\":1,\"ready\":5,\"scheduled\":1,\"inflight\":2,\"dlq\":4,"
            + "\"sent_per_s\":1.3,\"delivered_per_s\":0.5,\"acked_per_s\":0.0},"
            + "\"dlq_profile\":\"durable\","
            + "\"disk\":{\"free_bytes\":8,\"reserve_bytes\":7},"
            + "\"undeliverable\":2}",
        calls.call("GET", "/v1/topics").response().body());
    assertEquals("{\"ok\":true}", calls.call("DELETE", "/v1/topics/orders").response().body());
    assertProblem(404, "E_NOT_FOUND", calls.call("DELETE", "/v1/topics/orders"));
    assertProblem(404, "E_NOT_FOUND", calls.call("GET", "/v1/topics/orders"));
    assertProblem(400, "E_SCHEMA", calls.call("GET", "/v1/topics/a%20b"));
    assertProblem(400, "E_SCHEMA", calls.put("/v1/topics/orders", "{\"max_attempts\": 0}"));
  }

  @Test
  void aNodeTellsWhoseCountsAreIn() throws Exception {
    server.topics.counted = new CountedNodes(2, List.of("c"), 1, 340);
    calls.put("/v1/topics/a", "{}");
    for (String path : List.of("/v1/topics", "/v1/topics/a")) {
      assertEquals(
          "{\"nodes\":2,\"silent\":[\"c\"],\"missing_groups\":1,\"age_ms\":340}",
          calls.call("GET", path).json().path("counted").toString());
    }
  }

  @Test
  void topicsAreListedInPages() throws Exception {
    for (String name : List.of("b", "a", "c")) {
      calls.put("/v1/topics/" + name, "{}");
    }
    JsonNode first = calls.call("GET", "/v1/topics?limit=2").json();
    assertEquals(List.of("a", "b"), first.findValuesAsText("name"));
    String cursor = first.path("next_cursor").asText();
    JsonNode last = calls.call("GET", "/v1/topics?limit=2&cursor=" + cursor).json();
    assertEquals(List.of("c"), last.findValuesAsText("name"));
    assertFalse(last.has("next_cursor"));
  }

  @ParameterizedTest
  @CsvSource({"q=OR&limit=1, orders, 2", "sort=saturation, a orders work, 3", "q=x, '', 0"})
  void topicsAreChosen(String query, String names, int matched) throws Exception {
    for (String name : List.of("orders", "a", "work")) {
      calls.put("/v1/topics/" + name, "{}");
    }
    JsonNode found = calls.call("GET", "/v1/topics?" + query).json();
    assertEquals(names, String.join(" ", found.findValuesAsText("name")));
    assertEquals(matched, found.path("matched").asInt());
    assertEquals(matched, found.at("/totals/topics").asInt());
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0, limit",
    "limit=1001, limit",
    "cursor=a%20b, cursor",
    "cursor=a&sort=ready, cursor",
    "q=, q",
    "sort=size, sort",
    "sort=READY, sort",
    "page=1, page",
  })
  void aBadPageOfTopicsIsRefusedByName(String query, String field) throws Exception {
    Answer answer = calls.call("GET", "/v1/topics?" + query);
    assertEquals(400, answer.status());
    assertEquals(List.of(field), answer.fields());
  }

  @Test
  void adminCallsThatFindTheDatabaseAwayAreUnavailable() throws Exception {
    server.topics.before =
        () -> {
          throw new UnavailableException("The database did not answer", new RuntimeException("x"));
        };
    Answer answer = calls.call("GET", "/v1/topics");
    assertProblem(503, "E_UNAVAILABLE", answer);
    assertEquals("1", answer.header("retry-after"));
    assertFalse(answer.json().path("corr_id").asText().isEmpty());
  }

  @Test
  void errorsOfTheServerAreProblemsToo() throws Exception {
    assertProblem(404, "E_NOT_FOUND", calls.call("GET", "/v1/nothing"));
    assertProblem(404, "E_NOT_FOUND", calls.call("GET", "/nothing"));
    assertProblem(404, "E_NOT_FOUND", calls.call("GET", "/problem"));
    assertProblem(404, "E_NOT_FOUND", calls.call("GET", "/"));
    Answer notAllowed = calls.call("GET", "/v1/send");
    assertProblem(405, "E_SCHEMA", notAllowed);
    assertEquals("POST", notAllowed.header("allow"));
    assertProblem(405, "E_SCHEMA", calls.call("DELETE", "/v1/topics"));
    assertProblem(405, "E_SCHEMA", calls.call("POST", "/healthz"));
    var body = BodyPublishers.ofString(SEND);
    assertProblem(
        415,
        "E_SCHEMA",
        calls.call(
            calls.request("POST", "/v1/send", body).setHeader("Content-Type", "text/plain")));
    assertProblem(
        406,
        "E_SCHEMA",
        calls.call(calls.request("POST", "/v1/send", body).header("Accept", "text/xml")));
    assertTrue(server.mailbox.isUntouched());
  }

  @ParameterizedTest
  @CsvSource({"gzip", "GZIP", "'identity, gzip'", "x-unknown", "''"})
  void encodedBodiesAreRefused(String encoding) throws Exception {
    for (String type : List.of("application/json", "application/octet-stream")) {
      Answer answer =
          calls.call(
              calls
                  .request("POST", "/v1/send", BodyPublishers.ofString(SEND))
                  .setHeader("Content-Type", type)
                  .setHeader("Content-Encoding", encoding));
      assertProblem(415, "E_SCHEMA", answer);
      assertEquals("identity", answer.header("accept-encoding"));
    }
    assertTrue(server.mailbox.isUntouched());
    Answer plain =
        calls.call(
            calls
                .request("POST", "/v1/send", BodyPublishers.ofString(SEND))
                .setHeader("Content-Encoding", "identity"));
    assertEquals(200, plain.status());
  }

  @Test
  void headersThatMakeNoSenseDoNoHarm() throws Exception {
    for (String[] header :
        List.of(
            new String[] {"Accept-Language", ";;q=x,,"},
            new String[] {"Content-Language", "---"},
            new String[] {"Cookie", "=;=;$Version"},
            new String[] {"Accept", "application/json;q=x"},
            new String[] {"Content-Type", "application/json;;;"})) {
      Answer answer =
          calls.call(
              calls
                  .request("POST", "/v1/send", BodyPublishers.ofString(SEND))
                  .setHeader(header[0], header[1]));
      assertEquals(200, answer.status(), header[0]);
    }
    assertProblem(
        415,
        "E_SCHEMA",
        calls.call(
            calls
                .request("POST", "/v1/send", BodyPublishers.ofString(SEND))
                .setHeader("Content-Type", ";;")));
  }

  @Test
  void metricsAreToldAsTextRightAfterTheyWereBroughtUpToDate() throws Exception {
    Answer answer = calls.call("GET", "/metrics");
    assertEquals(200, answer.status());
    String body = answer.response().body();
    assertTrue(body.startsWith("refreshed_total 1\n"), body);
    assertTrue(body.contains("\n# TYPE request_latency_seconds histogram\n"), body);
    assertEquals("text/plain; version=0.0.4;charset=utf-8", answer.header("content-type"));
    var none = BodyPublishers.noBody();
    for (String accept :
        List.of(
            "text/plain",
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
            "text/*;q=0.1")) {
      assertEquals(
          200,
          calls.call(calls.request("GET", "/metrics", none).header("Accept", accept)).status());
    }
    assertProblem(
        406,
        "E_SCHEMA",
        calls.call(calls.request("GET", "/metrics", none).header("Accept", "application/json")));
    assertProblem(
        406,
        "E_SCHEMA",
        calls.call(calls.request("GET", "/healthz", none).header("Accept", "text/plain")));
    assertProblem(405, "E_SCHEMA", calls.call("POST", "/metrics"));
  }

  @Test
  void healthIsToldAndWritesAreGivenUpBeforeReads() throws Exception {
    assertEquals(
        "{\"status\":\"UP\",\"checks\":[]}", calls.call("GET", "/healthz").response().body());
    server.readiness.add(
        () ->
            new HealthCheckResponse(
                "database", Status.DOWN, Optional.of(Map.of("affects", "writes"))));
    server.readiness.add(
        () ->
            new HealthCheckResponse("broker", Status.UP, Optional.of(Map.of("affects", "reads"))));
    assertEquals(503, calls.call("GET", "/readyz").status());
    Answer forReads = calls.call("GET", "/readyz?for=reads");
    assertEquals(200, forReads.status());
    assertEquals("UP", forReads.json().path("status").asText());
    assertEquals("DOWN", forReads.json().path("checks").get(0).path("status").asText());
    assertEquals(200, calls.call("GET", "/healthz").status());
    server.readiness.set(
        1,
        () -> {
          throw new IllegalStateException("secret");
        });
    Answer broken = calls.call("GET", "/readyz?for=reads");
    assertEquals(503, broken.status());
    assertFalse(broken.response().body().contains("secret"));
  }
}
