package org.svcmailbox.it.container;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;

/** The application with settings that it refuses. */
@ContainerTest
class SettingsErrorIT {
  @ArquillianResource private Deployer deployer;
  @ArquillianResource private ManagementClient management;

  @Deployment(name = BuiltEar.NAME, managed = false, testable = false)
  static EnterpriseArchive mailbox() {
    return BuiltEar.asBuilt();
  }

  @Test
  void badSettingsFailTheDeploymentAllByTheirNames() throws IOException {
    ContainerServer server = new ContainerServer(management);
    server.setProperty("mailbox.t_replay", "banana");
    server.setProperty("mailbox.no_such", "1");
    String failure;
    try {
      failure = failureOfDeployment();
    } finally {
      server.removeProperty("mailbox.t_replay");
      server.removeProperty("mailbox.no_such");
    }
    assertTrue(failure.contains("mailbox.t_replay must be a duration"), failure);
    assertTrue(failure.contains("mailbox.no_such is not a setting"), failure);
    assertItDeploysNow();
  }

  private String failureOfDeployment() {
    Exception failure =
        assertThrows(Exception.class, () -> deployer.deploy(BuiltEar.NAME), "it deployed");
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private void assertItDeploysNow() throws IOException {
    deployer.deploy(BuiltEar.NAME);
    try {
      ContainerServer.client().get("/readyz").expect(200);
    } finally {
      deployer.undeploy(BuiltEar.NAME);
    }
  }
}
