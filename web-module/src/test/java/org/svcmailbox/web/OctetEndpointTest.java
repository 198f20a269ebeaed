package org.svcmailbox.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.svcmailbox.core.broker.SampleMessages.TRACE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendRequest;
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
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.web.FakeMailbox.Recv;

/** SEND and RECV with bare payloads over HTTP. */
class OctetEndpointTest {
  private static final MsgId MSG_ID = MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  private static final Instant TS = Instant.parse("2026-01-02T03:04:05.006Z");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] BINARY = {0, '\r', '\n', (byte) 0xff};

  private static final String[] RECV = {
    "Content-Type: application/octet-stream",
    "Mailbox-Topic: orders",
    "Mailbox-Wait-Ms: 30000",
    "Content-Length: 0"
  };

  private final TestServer server = TestServer.open();

  OctetEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private HttpResponse<byte[]> call(String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    return call(Version.HTTP_1_1, path, body, headers);
  }

  private HttpResponse<byte[]> call(Version version, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.address().getPort() + path))
            .header("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofByteArray(body));
    return HttpClient.newBuilder()
        .version(version)
        .build()
        .send(
            (headers.length > 0 ? request.headers(headers) : request).build(),
            BodyHandlers.ofByteArray());
  }

  private static List<String> refusedFields(HttpResponse<byte[]> answer) throws IOException {
    assertEquals(400, answer.statusCode());
    JsonNode problem = JSON.readTree(answer.body());
    assertEquals("E_SCHEMA", problem.path("code").asText());
    return problem.path("errors").findValuesAsText("field");
  }

  private static String header(HttpResponse<byte[]> answer, String name) {
    return String.join("|", answer.headers().allValues(name));
  }

  private static Delivered delivered(Map<String, String> attrs, String text, byte[] bytes) {
    TopicName topic = new TopicName("orders");
    Payload payload = Payload.owning(bytes);
    IdemKey key = new IdemKey(text);
    Attributes attributes = new Attributes(attrs);
    Envelope envelope =
        new Envelope(
            MSG_ID,
            topic,
            TS,
            key,
            payload.hash(),
            attributes,
            new CorrId(text),
            3,
            17,
            2,
            HashChain.of(topic, TS, key, payload.hash(), attributes),
            new Signature(text));
    StoredMessage message =
        new StoredMessage(
            envelope, payload, null, TS, new TraceContext(TRACE.parent(), TRACE.state()));
    return new Delivered(
        List.of(new LeasedMessage(message, new Receipt("r-1"), Duration.ofSeconds(5))));
  }

  private void hold(Delivered delivered, String reason) {
    LeasedMessage leased = delivered.messages().get(0);
    StoredMessage refused =
        leased
            .message()
            .failed(SampleMessages.refused(leased.message().envelope().attempt(), reason), TS);
    hold(new Delivered(List.of(new LeasedMessage(refused, leased.receipt(), leased.visibility()))));
  }

  private void hold(Delivered delivered) {
    server.mailbox.onRecv = request -> CompletableFuture.completedStage(delivered);
  }

  @Test
  void sendPassesOnAllFields() throws Exception {
    HttpResponse<byte[]> answer =
        call(
            "/v1/send",
            BINARY,
            "Mailbox-Topic",
            "orders",
            "Idempotency-Key",
            "k-1",
            "mailbox-attrs",
            "{\"a\": \"\\u00e4\"}",
            "Mailbox-Corr-Id",
            "c",
            "Mailbox-Shard-Key",
            "s",
            "Mailbox-Delay-Ms",
            "10",
            "Mailbox-Ttl-Ms",
            "20",
            "Mailbox-Payload-Hash",
            "b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            "Mailbox-Sig",
            "x",
            "traceparent",
            TRACE.parent(),
            "tracestate",
            String.valueOf(TRACE.state()),
            "Cookie",
            "=;=;$Version");
    assertEquals(200, answer.statusCode());
    assertEquals("application/json", header(answer, "content-type"));
    assertEquals(
        "{\"msg_id\":\"" + MsgId.create(0, Instant.EPOCH).toString().substring(0, 10),
        new String(answer.body(), US_ASCII).substring(0, 21));
    assertEquals(
        new SendRequest(
            new TopicName("orders"),
            Payload.owning(BINARY),
            new IdemKey("k-1"),
            new Attributes(Map.of("a", "ä")),
            new CorrId("c"),
            new ShardKey("s"),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Digest.parse("b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
            new Signature("x"),
            TRACE),
        server.mailbox.next(SendRequest.class));
  }

  @Test
  void anEmptyPayloadIsAPayloadAndTheLargestIsTheFrame() throws Exception {
    String[] headers = {"Mailbox-Topic", "t", "Idempotency-Key", "k"};
    for (int size : new int[] {0, 1, TestSettings.MAX_FRAME}) {
      assertEquals(200, call("/v1/send", new byte[size], headers).statusCode());
      assertEquals(size, server.mailbox.next(SendRequest.class).payload().size());
    }
    HttpResponse<byte[]> refused = call("/v1/send", new byte[TestSettings.MAX_FRAME + 1], headers);
    assertEquals(413, refused.statusCode());
    assertEquals("E_FRAME_TOO_LARGE", JSON.readTree(refused.body()).path("code").asText());
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void refusedFieldsAreNamedByTheirHeader() throws Exception {
    assertEquals(
        List.of("Mailbox-Topic", "Idempotency-Key"), refusedFields(call("/v1/send", BINARY)));
    assertEquals(
        List.of("Mailbox-Topic"),
        refusedFields(
            call(
                "/v1/send",
                BINARY,
                "Mailbox-Topic",
                "t",
                "MAILBOX-TOPIC",
                "t",
                "Idempotency-Key",
                "k")));
    assertEquals(List.of("body"), refusedFields(call("/v1/recv", BINARY, "Mailbox-Topic", "t")));
    assertEquals(
        List.of("Mailbox-Wait-Ms"),
        refusedFields(call("/v1/recv", new byte[0], "Mailbox-Topic", "t", "Mailbox-Wait-Ms", "x")));
    assertTrue(server.mailbox.isUntouched());
  }

  @Test
  void jsonHasNoUseForHeadersOfFields() throws Exception {
    HttpCalls calls = HttpCalls.to(server);
    calls.call(
        calls
            .request("POST", "/v1/recv", BodyPublishers.ofString("{\"topic\": \"t\"}"))
            .header("Mailbox-Topic", "other"));
    assertEquals(new TopicName("t"), server.mailbox.next(RecvRequest.class).topic());
  }

  @Test
  void theOtherCallsTakeNoOctets() throws Exception {
    for (String path : List.of("/v1/send/batch", "/v1/ack", "/v1/ack/batch", "/v1/nack")) {
      assertEquals(415, call(path, new byte[0]).statusCode(), path);
    }
  }

  @Test
  void aRequestWithoutAContentTypeIsRefused() throws Exception {
    for (String path : List.of("/v1/send", "/v1/recv")) {
      String answer = raw(head(path, "Content-Length: 0"));
      assertTrue(answer.startsWith("HTTP/1.1 415 "), answer);
    }
  }

  @Test
  void spaceAroundAValueIsNotPartOfIt() throws Exception {
    String answer =
        raw(
            head(
                "/v1/send",
                "Content-Type: application/octet-stream",
                "Mailbox-Topic:t \t ",
                "Idempotency-Key: \t k",
                "Content-Length: 0"));
    assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    assertEquals(new IdemKey("k"), server.mailbox.next(SendRequest.class).idemKey());
  }

  private static String head(String path, String... headers) {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + String.join("\r\n", headers) + "\r\n";
  }

  /** Sends a request head and returns the whole response. */
  private String raw(String head) throws IOException {
    try (RawConnection client = RawConnection.to(server.address())) {
      return client.send(head + "Connection: close\r\n\r\n").rest();
    }
  }

  @Test
  void aReceivedMessageCarriesItsWholeEnvelope() throws Exception {
    Delivered delivered = delivered(Map.of("a", "ä\""), "k", BINARY);
    hold(delivered);
    HttpResponse<byte[]> answer =
        call(
            "/v1/recv",
            new byte[0],
            "Mailbox-Topic",
            "orders",
            "Accept",
            "application/octet-stream");
    Envelope envelope = delivered.messages().get(0).message().envelope();
    assertEquals(200, answer.statusCode());
    assertArrayEquals(BINARY, answer.body());
    Map<String, String> fields = new TreeMap<>();
    answer
        .headers()
        .map()
        .forEach(
            (name, values) ->
                fields.put(name.toLowerCase(java.util.Locale.ROOT), String.join("|", values)));
    fields
        .keySet()
        .removeAll(List.of("date", "connection", "cache-control", "x-content-type-options"));
    assertEquals(
        new TreeMap<>(
            Map.ofEntries(
                Map.entry("content-type", "application/octet-stream"),
                Map.entry("content-length", "4"),
                Map.entry("mailbox-msg-id", MSG_ID.toString()),
                Map.entry("mailbox-topic", "orders"),
                Map.entry("mailbox-ts", "2026-01-02T03:04:05.006Z"),
                Map.entry("idempotency-key", "k"),
                Map.entry("mailbox-payload-hash", envelope.payloadHash().toString()),
                Map.entry("mailbox-attrs", "{\"a\":\"\\u00E4\\\"\"}"),
                Map.entry("mailbox-corr-id", "k"),
                Map.entry("mailbox-shard", "3"),
                Map.entry("mailbox-seq", "17"),
                Map.entry("mailbox-attempt", "2"),
                Map.entry("mailbox-hash-chain", envelope.hashChain().toString()),
                Map.entry("mailbox-sig", "k"),
                Map.entry("mailbox-receipt", "r-1"),
                Map.entry("mailbox-visibility-ms", "5000"),
                Map.entry("traceparent", TRACE.parent()),
                Map.entry("tracestate", String.valueOf(TRACE.state())))),
        fields);
    assertEquals(0, server.mailbox.nextRecv().abandonments().availablePermits());
    assertEquals(1, server.mailbox.next(RecvRequest.class).maxMessages());
  }

  @Test
  void noMessageIsNoContent() throws Exception {
    HttpResponse<byte[]> answer = call("/v1/recv", new byte[0], "Mailbox-Topic", "t");
    assertEquals(204, answer.statusCode());
    assertEquals("", header(answer, "mailbox-msg-id"));
  }

  @Test
  void nothingThatASenderWroteBecomesAHeader() throws Exception {
    String evil = "a\r\nX-Evil: b\r\n\r\nc\n\u007f\u0085\u2028";
    hold(delivered(Map.of(evil, evil), evil, BINARY), evil);
    String answer = raw(head("/v1/recv", RECV));
    String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
    assertTrue(answer.endsWith(new String(BINARY, ISO_8859_1)));
    assertEquals(answer.length(), head.length() + 4 + BINARY.length);
    assertFalse(head.lines().anyMatch(line -> line.startsWith("X-Evil")), head);
    assertTrue(head.chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\r' || c == '\n'));
    String encoded = "UTF-8''a%0D%0AX-Evil%3A%20b%0D%0A%0D%0Ac%0A%7F%C2%85%E2%80%A8";
    assertTrue(head.contains("\r\nIdempotency-Key: " + encoded + "\r\n"), head);
    assertTrue(head.contains("\r\nMailbox-Corr-Id: " + encoded + "\r\n"), head);
    assertTrue(head.contains("\r\nMailbox-Sig: " + encoded + "\r\n"), head);
    assertTrue(head.contains("\r\nMailbox-Last-Error: " + encoded + "\r\n"), head);
  }

  @ParameterizedTest
  @EnumSource
  void theLargestEnvelopeGoesInAndOut(Version version) throws Exception {
    Map<String, String> attrs = new TreeMap<>();
    for (int i = 0; i < Attributes.MAX_COUNT; i++) {
      attrs.put("\u0001".repeat(Attributes.MAX_KEY - 1) + (char) (i + 1), "\u00e4".repeat(1024));
    }
    hold(delivered(attrs, "\uffff".repeat(128), BINARY), "\uffff".repeat(MessageEvent.MAX_NOTE));
    HttpResponse<byte[]> out = call(version, "/v1/recv", new byte[0], "Mailbox-Topic", "orders");
    assertEquals(200, out.statusCode());
    assertArrayEquals(BINARY, out.body());

    HttpResponse<byte[]> in =
        call(
            version,
            "/v1/send",
            BINARY,
            "Mailbox-Topic",
            "orders",
            "Idempotency-Key",
            header(out, "idempotency-key"),
            "Mailbox-Attrs",
            header(out, "mailbox-attrs"),
            "Mailbox-Corr-Id",
            header(out, "mailbox-corr-id"),
            "Mailbox-Sig",
            header(out, "mailbox-sig"));
    assertEquals(200, in.statusCode());
    server.mailbox.next(RecvRequest.class);
    SendRequest sent = server.mailbox.next(SendRequest.class);
    assertEquals(new Attributes(attrs), sent.attrs());
    assertEquals(new IdemKey("\uffff".repeat(128)), sent.idemKey());
  }

  @Test
  void oneAttributeMoreThanThereMayBeIsAProblemThatSaysSo() throws Exception {
    String longest = "\\u00e4".repeat(1024);
    StringBuilder attrs = new StringBuilder("{");
    for (int i = 0; i <= Attributes.MAX_COUNT; i++) {
      attrs.append(i == 0 ? "" : ",").append("\"" + i + "\":\"" + longest + "\"");
    }
    assertEquals(
        List.of("Mailbox-Attrs"),
        refusedFields(
            call(
                "/v1/send",
                BINARY,
                "Mailbox-Topic",
                "t",
                "Idempotency-Key",
                "k",
                "Mailbox-Attrs",
                attrs + "}")));
  }

  @Test
  void aClientThatHangsUpWhileItWaitsIsGivenUpAtOnce() throws Exception {
    CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onRecv = request -> outcome;
    Recv recv;
    try (RawConnection client = RawConnection.to(server.address())) {
      client.send(head("/v1/recv", RECV) + "\r\n");
      recv = server.mailbox.nextRecv();
    }
    recv.isAbandoned().get(10, TimeUnit.SECONDS);
    recv.abandonments().acquire();
    outcome.complete(delivered(Map.of(), "k", BINARY));
    assertTrue(recv.abandonments().tryAcquire(10, TimeUnit.SECONDS));
  }
}
