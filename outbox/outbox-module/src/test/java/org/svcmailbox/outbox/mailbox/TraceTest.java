package org.svcmailbox.outbox.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.http.HttpEventHandler;
import org.svcmailbox.outbox.inbox.Handled;
import org.svcmailbox.outbox.inbox.InboxProcessor;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.inbox.LocalGuard;
import org.svcmailbox.outbox.inbox.ScriptedConsumer;
import org.svcmailbox.outbox.memory.InMemoryInbox;
import org.svcmailbox.outbox.memory.InMemoryOutbox;
import org.svcmailbox.outbox.publish.OutboxPublisher;
import org.svcmailbox.outbox.publish.PublisherSettings;

/** From the transaction that records an event to the handler, over a topic in memory. */
class TraceTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String STATE = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final MailboxClock clock = MailboxClock.system();
  private final InMemoryOutbox outbox = new InMemoryOutbox(clock);
  private final List<NewEvent> news = new ArrayList<>();
  private final ScriptedConsumer topic = new ScriptedConsumer();
  private final UUID correlation = UUID.randomUUID();
  private final UUID causation = UUID.randomUUID();
  private HttpServer server;
  private int status = 200;
  private @Nullable String parent;
  private @Nullable String state;
  private JsonNode document = JsonNodeFactory.instance.missingNode();

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/handle",
        exchange -> {
          parent = exchange.getRequestHeaders().getFirst("traceparent");
          state = exchange.getRequestHeaders().getFirst("tracestate");
          document = new JsonMapper().readTree(exchange.getRequestBody());
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private NewEvent event(@Nullable TraceContext trace) {
    return NewEvent.of("order", "1", "paid", "{}")
        .withCorrelation(correlation, causation)
        .withTrace(trace);
  }

  /** Records, publishes, receives and handles an event. */
  private Handled travel(NewEvent event) throws Exception {
    MessageId unused = outbox.record(event);
    InMemoryMailbox<String, String> orders =
        InMemoryMailbox.builder("orders", Codecs.utf8(), Codecs.utf8()).build();
    OutboxPublisher publisher =
        OutboxPublisher.builder(
                outbox,
                PublisherSettings.of("shop"),
                subject -> List.of("orders"),
                name -> new MailboxPublisher(orders))
            .build();
    assertEquals(1, publisher.step());
    JsonNode received = received(orders.receive(1, LEASE, Duration.ZERO).get(0));
    InMemoryInbox inbox =
        new InMemoryInbox(
            clock,
            dead -> {
              news.add(dead);
              return dead.id();
            });
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/handle");
    return new InboxProcessor(
            inbox,
            topic,
            new HttpEventHandler(uri, Duration.ofSeconds(10)),
            new LocalGuard(),
            InboxSettings.of("shipping", "orders"),
            clock)
        .process(ReceivedMessage.of(received));
  }

  /** A message as the service answers to RECV. */
  private static JsonNode received(Message<String, String> message) {
    String hash = ReceivedEnvelope.payloadHash(message.rawBody());
    String time = message.enqueuedAt().toString();
    ReceivedEnvelope sent =
        new ReceivedEnvelope("orders", time, "key", hash, message.attributes(), "");
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("msg_id", message.id())
            .put("topic", "orders")
            .put("ts", time)
            .put("idem_key", "key")
            .put("payload_hash", hash)
            .put("shard", 0)
            .put("attempt", message.deliveryCount())
            .put("hash_chain", sent.expectedHashChain())
            .put("payload", message.rawBody())
            .put("receipt", message.receiptHandle());
    ObjectNode attributes = json.putObject("attrs");
    message.attributes().forEach(attributes::put);
    message.traceparent().ifPresent(value -> json.put("traceparent", value));
    message.tracestate().ifPresent(value -> json.put("tracestate", value));
    return json;
  }

  @Test
  void theHandlerGetsTheTraceOfTheTransaction() throws Exception {
    assertEquals(Handled.PROCESSED, travel(event(new TraceContext(PARENT, STATE))));
    assertEquals(PARENT, parent);
    assertEquals(STATE, state);
    assertEquals(correlation.toString(), document.path("correlation_id").asText());
    assertEquals(causation.toString(), document.path("causation_id").asText());
  }

  @Test
  void aTraceNeedsNoState() throws Exception {
    assertEquals(Handled.PROCESSED, travel(event(new TraceContext(PARENT, null))));
    assertEquals(PARENT, parent);
    assertEquals(null, state);
  }

  @Test
  void anEventNeedsNoTrace() throws Exception {
    assertEquals(Handled.PROCESSED, travel(event(null)));
    assertEquals(null, parent);
    assertEquals(null, state);
  }

  @Test
  void theNewsOfADeadLetterHasTheTraceToo() throws Exception {
    status = 422;
    assertEquals(Handled.DEAD, travel(event(new TraceContext(PARENT, STATE))));
    assertEquals(new TraceContext(PARENT, STATE), news.get(0).trace());
    assertEquals(correlation, news.get(0).correlation().correlationId());
  }

  @Test
  void aMalformedTraceIsNoError() {
    assertEquals(null, TraceContext.read(null, STATE));
    assertEquals(null, TraceContext.read(PARENT + "x", STATE));
    assertEquals(new TraceContext(PARENT, null), TraceContext.read(PARENT, "="));
    assertEquals(new TraceContext(PARENT, STATE), TraceContext.read(PARENT, STATE));
  }
}
