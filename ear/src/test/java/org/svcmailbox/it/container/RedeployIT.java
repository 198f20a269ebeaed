package org.svcmailbox.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** The application taken out of a running server and put back. */
@ContainerTest
class RedeployIT {
  private static final String WORKERS = "mailbox-shard-worker-";

  @ArquillianResource private Deployer deployer;
  @ArquillianResource private ManagementClient management;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.asBuilt();
  }

  @Test
  void undeployingEndsTheWorkersAndKeepsTheMessages() throws IOException {
    ContainerServer server = new ContainerServer(management);
    MailboxClient client = ContainerServer.client();
    String topic = TestTopics.fresh("redeploy");
    String sent;

    deployer.deploy(BuiltEar.NAME);
    try {
      sent = client.send(topic, "key", "kept".getBytes(UTF_8)).expect(200).msgId();
      assertFalse(server.threads(WORKERS).isEmpty(), "no worker runs");
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
    assertEquals(List.of(), server.threads(WORKERS));

    deployer.deploy(BuiltEar.NAME);
    try {
      Message received = client.recv(topic).expect(200).message();
      assertEquals(sent, received.msgId());
      client.ack(received).expect(200);
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
    assertEquals(List.of(), server.threads(WORKERS));
  }
}
