package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Answers;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.Collector;
import org.svcmailbox.it.server.Collector.CallSpan;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.test.concurrent.Deadline;

/** The server's own spans, with MAILBOX_TRACING; {@link EndedServerIT} has a server without. */
@Tag("nightly")
class TracingIT {
  private static final String CALLERS_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLERS_SPAN = "00f067aa0ba902b7";
  private static final String PARENT = "00-" + CALLERS_TRACE + "-" + CALLERS_SPAN + "-01";
  private static final String STATE = "rojo=1";
  private static final byte[] PAYLOAD = {1};
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static Collector collector;
  private static MailboxServer server;

  private static MailboxClient client;

  private final String topic = TestTopics.fresh("tracing");

  @BeforeAll
  static void start() {
    collector = Collector.start();
    server =
        MailboxServer.start(
            "tracing",
            Map.of(
                "MAILBOX_TRACING", "true",
                "MAILBOX_GRPC_ENABLED", "true",
                "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint(),
                "OTEL_BSP_SCHEDULE_DELAY", "100"));
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    collector.close();
  }

  private static final String ROUND = "recv";

  @Test
  void aMessageLeadsFromTheSendersSpanToTheConsumers() throws IOException {
    client
        .withHeaders(Map.of("traceparent", PARENT, "tracestate", STATE))
        .send(topic, "key", PAYLOAD)
        .expect(200);
    Message message = client.recv(topic).message();

    CallSpan send = await(span -> span.trace().equals(CALLERS_TRACE));
    assertEquals("POST /v1/send", send.name());
    assertEquals(CALLERS_SPAN, send.parent());
    assertEquals("00-" + CALLERS_TRACE + "-" + send.id() + "-01", message.text("traceparent"));
    assertEquals(STATE, message.text("tracestate"));
    CallSpan recv = await(span -> span.links().contains(send.id()));
    assertEquals("POST /v1/recv", recv.name());
  }

  @Test
  void whatAStreamSendsTogetherLeadsFromItsSenders() throws IOException {
    try (MessageStream stream = MessageStream.open(client.target(), Fields.of("topic", topic))) {
      stream.next("open");
      client.send(topic, "key", PAYLOAD).expect(200);
      String[] parent = stream.messages(1).get(0).text("traceparent").split("-", -1);
      CallSpan round = await(span -> span.links().contains(parent[2]));
      assertEquals(ROUND, round.name());
      CallSpan opening = await(span -> span.id().equals(round.parent()));
      assertEquals("POST /v1/recv/stream", opening.name());
    }
  }

  @Test
  void callsOverGrpcHaveSpansToo() throws Exception {
    try (GrpcClient grpc = GrpcClient.of(server)) {
      Sent sent =
          grpc.mailbox().send(SendRequest.newBuilder().setTopic(topic).setIdemKey("key").build());
      Answers<RecvEvent> events = new Answers<>();
      var commands = grpc.streams().recvStream(events);
      commands.onNext(RecvCommand.newBuilder().setOpen(Open.newBuilder().setTopic(topic)).build());
      commands.onNext(
          RecvCommand.newBuilder()
              .setCredit(Credit.newBuilder().setMessages(1).setBytes(1))
              .build());
      assertTrue(events.next().hasOpened());
      Received received = events.next().getDelivery().getMessage();
      assertEquals(sent.getMsgId(), received.getEnvelope().getMsgId());
      String[] parent = received.getTraceparent().split("-", -1);
      CallSpan send = await(span -> span.id().equals(parent[2]));
      assertEquals("mailbox.v1.Mailbox/Send", send.name());
      CallSpan round = await(span -> span.links().contains(parent[2]));
      CallSpan opening = await(span -> span.id().equals(round.parent()));
      assertEquals("mailbox.v1.Mailbox/RecvStream", opening.name());
      commands.onCompleted();
    }
  }

  @Test
  void aMessageSentOutsideAnyTraceBeginsOne() throws IOException {
    client.send(topic, "key", PAYLOAD).expect(200);
    String[] parent = client.recv(topic).message().text("traceparent").split("-", -1);
    CallSpan send = await(span -> span.trace().equals(parent[1]) && span.id().equals(parent[2]));
    assertEquals("POST /v1/send", send.name());
    assertEquals("", send.parent());
  }

  @Test
  void noRequestIsTakenForAPartOfAnother() throws IOException {
    int calls = 100;
    String name = "POST /v1/recv";
    long before = roots(name);
    for (int i = 0; i < calls; i++) {
      client.recv(Fields.of("topic", topic).with("wait_ms", 1)).expect(200);
    }
    Deadline.in(PATIENCE)
        .await(
            () -> roots(name) >= before + calls,
            () -> (roots(name) - before) + " spans of their own");
    assertEquals(List.of(), collector.spans().stream().filter(TracingIT::isChild).toList());
  }

  @Test
  void nothingButSpansIsExported() throws IOException {
    client.send(topic, "key", PAYLOAD).expect(200);
    Deadline.in(PATIENCE).await(() -> !collector.paths().isEmpty(), () -> "an export");
    assertEquals(Set.of("/v1/traces"), Set.copyOf(collector.paths()));
  }

  /** Only the caller's own span has a child here, and that of a stream. */
  private static boolean isChild(CallSpan span) {
    return !span.name().equals(ROUND)
        && !span.parent().isEmpty()
        && !span.parent().equals(CALLERS_SPAN);
  }

  private static long roots(String name) {
    return collector.spans().stream()
        .filter(span -> span.name().equals(name) && span.parent().isEmpty())
        .map(CallSpan::trace)
        .distinct()
        .count();
  }

  private static CallSpan await(Predicate<CallSpan> wanted) {
    Deadline.in(PATIENCE)
        .await(
            () -> collector.spans().stream().anyMatch(wanted),
            () -> "the span among " + collector.spans());
    return collector.spans().stream().filter(wanted).findFirst().orElseThrow();
  }
}
