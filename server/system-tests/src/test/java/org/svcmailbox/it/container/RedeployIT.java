package org.svcmailbox.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** The application taken out of a running server and put back. */
@ContainerTest
@Tag("nightly")
class RedeployIT {
  private static final Duration SOON = Duration.ofSeconds(10);

  /** Names of the threads that the application has, or how they begin. */
  private static final List<String> THREADS =
      List.of(
          "mailbox-shard-worker-",
          "mailbox-watch",
          "mailbox-upkeep",
          "mailbox-dead-letter-jobs",
          "mailbox-events",
          "mailbox-supervisor");

  @ArquillianResource private Deployer deployer;
  @ArquillianResource private ManagementClient management;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.asBuilt();
  }

  @Test
  void undeployingEndsTheThreadsAndKeepsTheMessages() throws IOException {
    ContainerServer server = new ContainerServer(management);
    MailboxClient client = ContainerServer.client();
    String topic = TestTopics.fresh("redeploy");
    String sent;

    deployer.deploy(BuiltEar.NAME);
    try {
      sent = client.send(topic, "key", "kept".getBytes(UTF_8)).expect(200).msgId();
      for (String thread : THREADS) {
        Deadline.in(SOON).await(() -> !server.threads(thread).isEmpty(), () -> "no " + thread);
      }
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
    assertNone(server);

    deployer.deploy(BuiltEar.NAME);
    try {
      Message received = client.recv(topic).expect(200).message();
      assertEquals(sent, received.msgId());
      client.ack(received).expect(200);
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
    assertNone(server);
  }

  private static void assertNone(ContainerServer server) throws IOException {
    for (String thread : THREADS) {
      assertEquals(List.of(), server.threads(thread));
    }
  }
}
