package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/**
 * Nobody can connect to the broker for thirty seconds, and all connections are lost. The broker
 * itself cannot be stopped under the application, which depends on it: its only acceptor is.
 */
class BrokerOutageIT {
  private final MailboxServer server = MailboxServer.start("broker-outage", Map.of());

  @AfterEach
  void end() {
    server.close();
  }

  @Test
  void everythingIsRefusedMeanwhileAndNothingIsLost(TestReporter reporter) throws IOException {
    Outage outage = new Outage(new MailboxClient(server.target()), reporter);
    outage.prepare(100);
    outage.last(() -> acceptor("stop"), () -> acceptor("start"), Outage.FOR_ALL);
    outage.assertProbed();
    // The settings are looked at every half minute, so perhaps not within it.
    assertEquals("broker,workers", outage.down().replace("broker-settings,", ""));
    assertEquals(0, outage.acknowledgedMeanwhile());
    assertTrue(outage.slowest().compareTo(Duration.ofSeconds(1)) < 0, outage::toString);
    outage.traffic().settle();
  }

  private void acceptor(String operation) {
    server.manage("/subsystem=messaging-activemq/server=default/in-vm-acceptor=in-vm:" + operation);
  }
}
