package org.svcmailbox.it.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;

/** The example of a listener, beside the service. */
@ContainerTest
@Tag("nightly")
class ListenerExampleIT {
  private static final String SHOP = "shop";
  private static final String THREADS = "mailbox-orders-";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Orders that take a second each, and how many of them the example packs at a time. */
  private static final int ORDERS = 8;

  private static final int AT_A_TIME = 4;

  private final MailboxClient client = ContainerServer.client();

  @ArquillianResource private Deployer deployer;
  @ArquillianResource private ManagementClient management;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.asBuilt();
  }

  @Deployment(name = SHOP, managed = false, testable = false)
  static WebArchive shop() {
    File examples = new File(System.getProperty("mailbox.examples"));
    return ShrinkWrap.create(ZipImporter.class, SHOP + ".war")
        .importFrom(new File(examples, "cdi-listener/target/shop.war"))
        .as(WebArchive.class);
  }

  // One test, because each deployment takes seconds.
  @Test
  @OperateOnDeployment(BuiltEar.NAME)
  void anOrderIsAnsweredAndUndeployingLosesNone() throws IOException {
    ContainerServer server = new ContainerServer(management);
    server.setProperty("svcmailbox.url", client.target().server().toString());
    deployer.deploy(BuiltEar.NAME);
    try {
      deployer.deploy(SHOP);
      try {
        order("apples", 1);
        assertEquals(List.of("1 apples shipped"), receipts());
        for (int i = 0; i < ORDERS; i++) {
          order("pears" + i, 10);
        }
        Deadline.in(PATIENCE)
            .await(() -> count("orders", "inflight") == AT_A_TIME, () -> "orders under way");
      } finally {
        deployer.undeploy(SHOP);
      }
      assertEquals(List.of(), server.threads(THREADS));
      assertEquals(0, count("orders", "inflight"), "orders that were left under way");
      assertEquals(ORDERS, count("orders", "ready") + count("receipts", "ready"));

      deployer.deploy(SHOP);
      try {
        assertEquals(
            IntStream.range(0, ORDERS).mapToObj(i -> "10 pears" + i + " shipped").toList(),
            receiptsOf(ORDERS));
      } finally {
        deployer.undeploy(SHOP);
      }
      assertEquals(0, count("orders", "ready"));
      assertEquals(0, count("receipts", "ready"));
    } finally {
      deployer.undeploy(BuiltEar.NAME);
      server.removeProperty("svcmailbox.url");
    }
  }

  private void order(String item, int count) throws IOException {
    client.post("/shop/orders?item=" + item + "&count=" + count, "").expect(200);
  }

  private List<String> receipts() throws IOException {
    return client.get("/shop/receipts").expect(200).text().lines().toList();
  }

  /** Receipts in order, so many of them that are not the same. */
  private List<String> receiptsOf(int count) {
    TreeSet<String> texts = new TreeSet<>();
    Deadline.in(PATIENCE)
        .await(() -> texts.addAll(receipts()) && texts.size() == count, () -> "only " + texts);
    return List.copyOf(texts);
  }

  private int count(String topic, String what) throws IOException {
    JsonNode state = client.topic(topic).expect(200).json();
    return state.path(what).asInt(-1);
  }
}
