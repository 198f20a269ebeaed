package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.PostgresServer;

/** A database that stays away until the batch log of the only worker is full. */
@Tag("nightly")
class FullLogIT {
  private static final int WINDOW = 128;
  private static final Duration SOON = Duration.ofSeconds(30);

  private static PostgresServer database;
  private static MailboxServer server;
  private static MailboxClient client;

  @BeforeAll
  static void start() {
    database = PostgresServer.start();
    Map<String, String> settings = new HashMap<>(database.settings());
    settings.put("MAILBOX_WORKERS", "1");
    settings.put("MAILBOX_PROJECTION_ENTRIES", Integer.toString(WINDOW));
    // The capability must not have to be looked up while nobody can.
    settings.put("MAILBOX_CAP_CACHE_TTL", "120s");
    server = MailboxServer.start("full-log", settings);
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
  void sendsEndWithLogFullAndNothingAnsweredIsLost() throws IOException {
    Traffic traffic = new Traffic(client);
    fill(traffic);
    int acknowledged = traffic.acknowledged();
    for (int i = 0; i < 10; i++) {
      traffic.receive();
    }
    assertEquals(acknowledged + 10, traffic.acknowledged(), "RECV and ACK go on");
    Deadline.in(SOON).await(() -> isDown("projection"), () -> "readiness without projection");
    client.get("/readyz?for=reads").expect(200);
    client.get("/healthz").expect(200);
    assertTrue(scrape().value("rejected_total{reason=\"log_full\"}") > 0);
    database.resume();
    awaitReady();
    traffic.settle();
  }

  @Test
  void aServerThatIsKilledWithAFullLogStartsWithAllOfIt() throws IOException {
    Traffic traffic = new Traffic(client);
    fill(traffic);
    server.kill9();
    database.resume();
    server.restart();
    traffic.settle();
  }

  /** Sends until the log is full, which leaves the database away. */
  private static void fill(Traffic traffic) throws IOException {
    // The first batch makes a new log as short as it may be.
    for (int i = 0; i < 20; i++) {
      traffic.send();
    }
    Deadline.in(SOON).await(() -> lag() == 0, () -> "the projection");
    traffic.renew();
    database.halt();
    int before = traffic.sent();
    Deadline deadline = Deadline.in(SOON);
    while (traffic.lastRefusal().isEmpty()) {
      assertTrue(!deadline.isOver(), "the log is not full");
      traffic.send();
    }
    assertEquals("log_full", traffic.lastRefusal());
    int answered = traffic.sent() - before;
    assertTrue(answered >= BatchLogEntry.LEAST && answered <= WINDOW, answered + " SENDs");
    assertEquals(answered, lag(), "batches that the database lacks");
  }

  private static double lag() throws IOException {
    return scrape().value("projection_lag_batches{}");
  }

  private static Scrape scrape() throws IOException {
    return Scrape.of(client.with(null).get("/metrics").expect(200).text());
  }

  private static boolean isDown(String part) throws IOException {
    for (JsonNode check : client.get("/readyz").json().path("checks")) {
      if (check.path("name").asText().equals(part)) {
        return check.path("status").asText().equals("DOWN");
      }
    }
    throw new AssertionError("no part " + part);
  }

  private static void awaitReady() {
    Deadline.in(SOON).await(() -> client.get("/readyz").status() == 200, () -> "readiness");
  }
}
