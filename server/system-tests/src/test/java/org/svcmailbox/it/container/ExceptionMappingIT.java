package org.svcmailbox.it.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SchemaException;

/**
 * The exceptions that callers of services and beans catch when they refuse; calls are made within
 * the container.
 */
@ContainerTest
class ExceptionMappingIT {
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

  // One test, because each deployment takes seconds.
  @Test
  void refusalsReachTheCallerAsTheyAre() throws IOException {
    assertRefusal(NotFoundException.class.getName(), "missing-topic");
    assertRefusal(NotFoundException.class.getName(), "missing-shard");
    assertRefusal(SchemaException.class.getName(), "visibility-out-of-bounds");
    assertRefusal(SchemaException.class.getName(), "contradiction");
    assertRefusal(FrameTooLargeException.class.getName(), "frame-too-large");
    // A service is the core's own object, so the container wraps nothing.
    assertRefusal(NullPointerException.class.getName(), "undeclared");
    assertRefusal(NotFoundException.class.getName(), "bean-off");
    // Shows that the boundary of a bean exists.
    assertRefusal("jakarta.ejb.EJBException", "bean-undeclared");
  }

  private static void assertRefusal(String expected, String call) throws IOException {
    for (String by : new String[] {"type", "name"}) {
      String path = "/inside/probe/" + call + "?by=" + by;
      assertEquals(expected, ContainerServer.client().get(path).expect(200).text(), path);
    }
  }
}
