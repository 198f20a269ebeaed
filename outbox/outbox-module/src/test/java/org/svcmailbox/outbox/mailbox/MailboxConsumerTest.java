package org.svcmailbox.outbox.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.http.HttpService;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.outbox.inbox.Delivery;
import org.svcmailbox.outbox.inbox.TopicSaturatedException;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;

class MailboxConsumerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String LOST = "{\"code\":\"E_RECEIPT\",\"why\":\"expired\"}";

  private static final String SATURATED =
      "{\"code\":\"E_SATURATED\",\"reason\":\"retention_inflight_count\",\"retry_after_ms\":9000}";

  private final AtomicInteger extensions = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final LoopbackHttp http = new LoopbackHttp(this::answer);
  private final HttpService service =
      HttpService.builder(http.uri(), TokenSource.of("token")).build();
  private volatile boolean isLost;
  private volatile boolean isSaturated;
  private volatile String sent = "{}";

  private void answer(HttpExchange exchange) throws IOException {
    String unused = LoopbackHttp.body(exchange);
    if (isSaturated) {
      LoopbackHttp.answer(exchange, 429, "application/problem+json", SATURATED);
      return;
    }
    if (!exchange.getRequestURI().getPath().equals("/v1/extend")) {
      LoopbackHttp.answer(exchange, 200, "application/json", message());
      return;
    }
    extensions.incrementAndGet();
    if (isLost) {
      refusals.incrementAndGet();
      LoopbackHttp.answer(exchange, 410, "application/problem+json", LOST);
    } else {
      LoopbackHttp.answer(exchange, 200, "application/json", "{\"ok\":true}");
    }
  }

  private String message() {
    byte[] body = "{}".getBytes(UTF_8);
    String hash = ReceivedEnvelope.payloadHash(sent.getBytes(UTF_8));
    String ts = "2026-01-01T00:00:00Z";
    String chain = new ReceivedEnvelope("orders", ts, "k", hash, Map.of(), "").expectedHashChain();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer
        .putArray("messages")
        .addObject()
        .put("msg_id", "m")
        .put("receipt", "r")
        .put("topic", "orders")
        .put("ts", ts)
        .put("idem_key", "k")
        .put("payload_hash", hash)
        .put("hash_chain", chain)
        .put("payload", body)
        .put("attempt", 1)
        .put("shard", 0);
    return answer.toString();
  }

  @AfterEach
  void close() {
    scheduler.shutdownNow();
    service.close();
    http.close();
  }

  private MailboxConsumer consumer(Duration ackWait) {
    return new MailboxConsumer(service, "orders", ackWait, scheduler);
  }

  @Test
  void aMessageIsHeldForAsLongAsItsLeaseIsExtended() throws Exception {
    Duration ackWait = Duration.ofSeconds(6);
    try (MailboxConsumer consumer = consumer(ackWait)) {
      Delivery delivery = consumer.fetch(1).get(0);
      Deadline lease = Deadline.in(ackWait.plusMillis(500));
      Deadline.in(PATIENCE).await(lease::isOver, () -> "the time of one lease");
      assertTrue(consumer.holds(delivery));
    }
  }

  @Test
  void aMessageWhoseLeaseIsLostIsNeitherHeldNorExtended() throws Exception {
    try (MailboxConsumer consumer = consumer(Duration.ofSeconds(3))) {
      Delivery delivery = consumer.fetch(1).get(0);
      assertTrue(consumer.holds(delivery));
      isLost = true;
      Deadline.in(PATIENCE).await(() -> !consumer.holds(delivery), () -> "the loss");
      assertEquals(1, refusals.get());
    }
  }

  @Test
  void aMessageWhoseLeaseRanOutWhileTheProcessStoodStillIsNotHeld() throws Exception {
    Duration ackWait = Duration.ofMillis(200);
    try (MailboxConsumer consumer = consumer(ackWait)) {
      // No extension runs.
      scheduler.shutdownNow();
      Delivery delivery = consumer.fetch(1).get(0);
      Deadline.in(PATIENCE).await(() -> !consumer.holds(delivery), () -> "the end of the lease");
      assertFalse(consumer.holds(delivery));
      assertEquals(0, extensions.get());
    }
  }

  @Test
  void aTopicOfWhichOthersHoldAllThatItPermitsIsSaturated() {
    isSaturated = true;
    try (MailboxConsumer consumer = consumer(Duration.ofSeconds(3))) {
      assertThrows(TopicSaturatedException.class, () -> consumer.fetch(1));
    }
  }

  @Test
  void aMessageThatIsNotAsItWasSentSaysSo() throws Exception {
    try (MailboxConsumer consumer = consumer(Duration.ofSeconds(3))) {
      assertNull(consumer.fetch(1).get(0).defect());
      sent = "{ }";
      Delivery delivery = consumer.fetch(1).get(0);
      assertEquals("its payload_hash does not match what was sent", delivery.defect());
      assertTrue(consumer.holds(delivery));
    }
  }
}
