package org.svcmailbox.it.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.concurrent.Deadline;

/** A message that another program wrote into the broker's queue of undeliverable messages. */
@ContainerTest
@Tag("nightly")
class ForeignMessageIT {
  private static final String UNSORTED = "/v1/dlq/mailbox.unsorted";

  @ArquillianResource private Deployer deployer;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.withProbe();
  }

  @BeforeEach
  void deploy() {
    deployer.deploy(BuiltEar.NAME);
  }

  @AfterEach
  void undeploy() {
    deployer.undeploy(BuiltEar.NAME);
  }

  @Test
  void itBecomesADeadLetterOfMailboxUnsorted() throws IOException {
    MailboxClient client = ContainerServer.client();
    client.get("/v1/topics/mailbox.unsorted").expect(404);
    client.get("/inside/foreign?text=strange").expect(200);

    Deadline.in(Duration.ofSeconds(20))
        .await(
            () -> client.get(UNSORTED).status() == 200 && letters(client).size() == 1,
            () -> "a dead letter of mailbox.unsorted");
    JsonNode letter = letters(client).get(0);
    assertEquals("unreadable", letter.path("reason").asText(), letter::toString);

    client.deleteTopic("mailbox.unsorted").expect(200);
  }

  private static JsonNode letters(MailboxClient client) throws IOException {
    return client.get(UNSORTED).expect(200).json().path("letters");
  }
}
