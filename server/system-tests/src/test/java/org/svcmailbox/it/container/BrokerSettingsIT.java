package org.svcmailbox.it.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.stream.StreamSupport;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxAnswer;

/** The application on a broker that is not set up as it must be. */
@ContainerTest
@Tag("nightly")
class BrokerSettingsIT {
  private static final String OURS = "mailbox.#";

  @ArquillianResource private Deployer deployer;
  @ArquillianResource private ManagementClient management;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.asBuilt();
  }

  @Test
  void aBrokerThatLosesDeadLettersMakesTheServiceUnready() throws IOException {
    MailboxAnswer answer = readinessWith("dead-letter-address", "nowhere").expect(503);
    assertDown(answer, "set dead-letter-address for mailbox.# to mailbox.dlq");
  }

  @Test
  void aBrokerThatDropsWhatIsTooMuchMakesTheServiceUnready() throws IOException {
    MailboxAnswer answer = readinessWith("address-full-policy", "DROP").expect(503);
    assertDown(answer, "set address-full-policy for mailbox.# to PAGE");
  }

  @Test
  void theBrokerAsLaidOutIsFoundWell() throws IOException {
    MailboxAnswer answer = readinessOfDeployed().expect(200);
    assertEquals("UP", brokerSettings(answer).path("status").asText(), answer::text);
  }

  private MailboxAnswer readinessWith(String setting, String value) throws IOException {
    ContainerServer server = new ContainerServer(management);
    String before = server.addressSetting(OURS, setting);
    server.setAddressSetting(OURS, setting, value);
    try {
      return readinessOfDeployed();
    } finally {
      server.setAddressSetting(OURS, setting, before);
    }
  }

  private MailboxAnswer readinessOfDeployed() throws IOException {
    deployer.deploy(BuiltEar.NAME);
    try {
      return ContainerServer.client().get("/readyz");
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
  }

  private static void assertDown(MailboxAnswer answer, String sentence) {
    assertEquals("DOWN", brokerSettings(answer).path("status").asText(), answer::text);
    String detail = brokerSettings(answer).path("data").path("detail").asText();
    assertTrue(detail.contains(sentence), answer::text);
  }

  private static JsonNode brokerSettings(MailboxAnswer answer) {
    return StreamSupport.stream(answer.json().path("checks").spliterator(), false)
        .filter(check -> check.path("name").asText().equals("broker-settings"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such check: " + answer.text()));
  }
}
