package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.Collector;
import org.svcmailbox.it.server.Collector.CallSpan;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** The server's own spans, with MAILBOX_TRACING; {@link EndedServerIT} has a server without. */
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

  /** Only the caller's own span has a child here. */
  private static boolean isChild(CallSpan span) {
    return !span.parent().isEmpty() && !span.parent().equals(CALLERS_SPAN);
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
