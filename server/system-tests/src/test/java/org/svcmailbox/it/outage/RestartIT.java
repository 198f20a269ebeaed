package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.amnesia.WrittenCanaries;
import org.svcmailbox.it.browser.OpenPage;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/**
 * State that outlives the server's process and its connections with the broker, and the end of the
 * process. One server, which is started again before a test when the last one ended it.
 */
@Order(1)
@Tag("nightly")
class RestartIT {
  private static MailboxServer server;
  private static MailboxClient client;
  private static Duration start;

  /** Of the server alone: the canaries are looked for in it. */
  @TempDir private static Path temporary;

  @BeforeAll
  static void start() {
    long before = System.nanoTime();
    server =
        MailboxServer.start(
            "restart", Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary));
    start = Duration.ofNanos(System.nanoTime() - before);
    client = new MailboxClient(server.target());
  }

  @BeforeEach
  void startAgain() {
    if (!server.isAlive()) {
      server.restart();
    }
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> aKilledServerStartsAgain() throws Exception {
    return Scenario.across(
        server,
        server::kill9,
        new WrittenCanaries(server, temporary),
        new Survivors(client, true),
        new ReplayWindow(client, start),
        new FreshDeadLetters(client));
  }

  @TestFactory
  Stream<DynamicTest> aStoppedServerStartsAgain() throws Exception {
    StopUnderLoad load = new StopUnderLoad(server, client);
    return Scenario.across(
        server, load::stop, new Survivors(client, false), new KeptLeases(client), load);
  }

  /**
   * All connections to the broker are lost, and none can be made. The broker itself cannot be
   * stopped under the application, which depends on it: its only acceptor is.
   */
  @Test
  void withoutTheBrokerEverythingIsRefusedAndNothingIsLost(TestReporter reporter)
      throws IOException {
    Outage outage = new Outage(client, reporter);
    outage.prepare(100);
    try (OpenPage page = OpenPage.of(server)) {
      outage.last(
          () -> acceptor("stop"),
          () -> acceptor("start"),
          Outage.FOR_ALL,
          () -> page.assertRefused("broker is down. Refused: SEND, RECV, console"));
      page.assertLive();
    }
    outage.assertProbed();
    // The settings are looked at every half minute, so perhaps not within it.
    assertEquals("broker,workers", outage.down().replace("broker-settings,", ""));
    assertEquals(0, outage.sentMeanwhile());
    assertEquals(0, outage.acknowledgedMeanwhile());
    outage.assertNoneWaited();
    outage.traffic().settle();
  }

  /** An application that somebody takes away does not leave a server that answers 404. */
  @Test
  void withoutItsApplicationTheServerEnds() {
    try {
      server.manage("/deployment=mailbox.ear:undeploy");
    } catch (IllegalStateException e) {
      // On a slow machine it may end before its administrator has the answer.
    }
    assertEquals(70, server.awaitEnd(), "exit code");
  }

  private static void acceptor(String operation) {
    server.manage("/subsystem=messaging-activemq/server=default/in-vm-acceptor=in-vm:" + operation);
  }
}
