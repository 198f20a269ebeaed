package org.svcmailbox.it.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.ProcessTree;

/** The built EAR, deployed into an Open Liberty that runs, with a broker beside it. */
@ExtendWith(ArquillianExtension.class)
@Tag("liberty-container")
class LibertyDeploymentIT {
  private static final Path HOME = Path.of(System.getProperty("mailbox.liberty.home"));
  private static final Path BASE = Path.of(System.getProperty("liberty.container.base"));
  private static final int PORT = Integer.getInteger("liberty.container.broker.port");

  private static ProcessTree broker;

  @ArquillianResource private Deployer deployer;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.asBuilt();
  }

  @BeforeAll
  static void startBroker() throws IOException {
    ProcessTree create = new ProcessTree(script("create", "--bind", "127.0.0.1:" + PORT).start());
    assertEquals(0, create.awaitEnd(Duration.ofMinutes(1)));
    broker = new ProcessTree(script("run").start());
    Deadline.in(Duration.ofMinutes(2)).await(LibertyDeploymentIT::listens, () -> "the broker");
  }

  private static ProcessBuilder script(String command, String... options) {
    ProcessBuilder builder =
        new ProcessBuilder(
            HOME.resolve("bin/mailbox-broker").toString(), command, BASE + "/broker");
    builder.command().addAll(List.of(options));
    builder.environment().put("ARTEMIS_HOME", HOME.resolve("apache-artemis").toString());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(BASE + "/broker.txt")));
  }

  private static boolean listens() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), PORT)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @AfterAll
  static void endBroker() {
    broker.kill();
  }

  @Test
  void theBuiltEarIsDeployedAndServes() throws IOException {
    deployer.deploy(BuiltEar.NAME);
    try {
      URI uri = URI.create("http://127.0.0.1:" + Integer.getInteger("liberty.container.http.port"));
      MailboxClient client =
          new MailboxClient(CallTarget.asOperator(uri, BASE.resolve("data/mailbox/operator.cap")));
      client.get("/readyz").expect(200);
      String topic = TestTopics.fresh("deployed");
      byte[] payload = "payload".getBytes(UTF_8);
      String id = client.send(topic, "key", payload).expect(200).msgId();
      Message message =
          client.recv(Fields.of("topic", topic).with("wait_ms", 5_000)).expect(200).message();
      assertEquals(id, message.msgId());
      assertArrayEquals(payload, message.payload());
      client.ack(message).expect(200);
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
  }
}
