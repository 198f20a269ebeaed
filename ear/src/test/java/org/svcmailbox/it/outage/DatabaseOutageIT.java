package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.process.PostgresServer;

/** PostgreSQL is away for thirty seconds while the server runs, and comes back. */
class DatabaseOutageIT {
  private static PostgresServer database;
  private static MailboxServer server;

  @BeforeAll
  static void start() {
    database = PostgresServer.start();
    Map<String, String> settings = new HashMap<>(database.settings());
    // The capability must not have to be looked up while nobody can.
    settings.put("MAILBOX_CAP_CACHE_TTL", "120s");
    server = MailboxServer.start("database-outage", settings);
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
  void oneThatRefusesStopsSendsOnlyAndNothingIsLost(TestReporter reporter) throws IOException {
    outage(database::halt, database::resume, reporter);
  }

  @Test
  void oneThatHangsStopsSendsOnlyAndNothingIsLost(TestReporter reporter) throws IOException {
    outage(database::freeze, database::thaw, reporter);
  }

  private static void outage(Runnable begin, Runnable end, TestReporter reporter)
      throws IOException {
    MailboxClient client = new MailboxClient(server.target());
    Outage outage = new Outage(client, reporter);
    outage.prepare(400);
    outage.last(begin, end, Outage.FOR_WRITES);
    outage.assertProbed();
    assertEquals("database", outage.down());
    assertTrue(outage.acknowledgedMeanwhile() > 20, "RECV and ACK went on");
    assertTrue(outage.slowest().compareTo(Duration.ofSeconds(1)) < 0, outage::toString);
    outage.traffic().settle();
  }
}
