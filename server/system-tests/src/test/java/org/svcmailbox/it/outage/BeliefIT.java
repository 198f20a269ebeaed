package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.PostgresServer;

/**
 * An outage of PostgreSQL that outlasts first {@code cap_cache_ttl}, then {@code cap_outage_ttl}.
 */
@Tag("nightly")
class BeliefIT {
  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final Duration BELIEVED = Duration.ofSeconds(25);
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static PostgresServer database;
  private static MailboxServer server;
  private static MailboxClient client;

  @BeforeAll
  static void start() {
    database = PostgresServer.start();
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.put("MAILBOX_CAP_CACHE_TTL", FRESH.toSeconds() + "s");
    settings.put("MAILBOX_CAP_OUTAGE_TTL", BELIEVED.toSeconds() + "s");
    server = MailboxServer.start("belief", settings);
    client = new MailboxClient(server.target());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (database != null) {
      database.close();
    }
  }

  @Test
  void capabilitiesAreBelievedAsLongAsReadinessSays() throws IOException {
    String topic = TestTopics.fresh("belief");
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    long verified = System.nanoTime();
    client.send(topic, "first", new byte[10]).expect(200);
    database.halt();
    try {
      goOnBeyond(FRESH.multipliedBy(2), verified, topic);
      Deadline.in(SOON).await(() -> !isUp(), () -> "readiness for reads");
      assertEquals("unverified", client.recv(recv(topic)).expect(503).reason());
      assertEquals("unverified", client.send(topic, "late", new byte[10]).expect(503).reason());
      client.get("/readyz?for=reads").expect(503);
      client.get("/healthz").expect(200);
      // The store may have answered for the last time while that answer was still fresh.
      assertTrue(age(verified).compareTo(BELIEVED.minus(FRESH)) >= 0, "ended early");
    } finally {
      database.resume();
    }
    Deadline.in(SOON).await(() -> client.get("/readyz").status() == 200, () -> "readiness");
    client.send(topic, "back", new byte[10]).expect(200);
    client.recv(recv(topic)).expect(200);
  }

  /** SEND, RECV, EXTEND, NACK and ACK, while the capability is stale. */
  private static void goOnBeyond(Duration time, long since, String topic) throws IOException {
    for (int i = 0; age(since).compareTo(time) < 0; i++) {
      client.send(topic, "key-" + i, new byte[10]).expect(200);
      Message message = client.recv(recv(topic)).expect(200).messages().get(0);
      client.extend(message, FRESH).expect(200);
      client.ack(message).expect(200);
      client.get("/readyz?for=reads").expect(200);
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    Deadline.in(SOON).await(() -> !detail().isEmpty(), () -> "a detail");
    assertTrue(detail().contains("verified within the last 25 s are believed"), detail());
    assertTrue(
        Scrape.of(client.with(null).get("/metrics").expect(200).text())
                .value("capability_believed_total{}")
            > 0);
  }

  private static Duration age(long since) {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  private static Fields recv(String topic) {
    return Fields.of("topic", topic);
  }

  private static boolean isUp() throws IOException {
    return part().path("status").asText().equals("UP");
  }

  private static String detail() throws IOException {
    return part().path("data").path("detail").asText();
  }

  private static JsonNode part() throws IOException {
    MailboxAnswer answer = client.get("/readyz");
    for (JsonNode check : answer.json().path("checks")) {
      if (check.path("name").asText().equals("capabilities")) {
        return check;
      }
    }
    throw new AssertionError(answer.text());
  }
}
