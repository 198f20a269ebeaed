package org.svcmailbox.rendezvous;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class RendezvousArchitectureTest {
  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.rendezvous");

  private static final ArchRule KNOWS_THE_CORE_ONLY =
      ModuleRules.portable(
          "org.svcmailbox.rendezvous",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.web..",
          "org.svcmailbox.console..",
          "org.svcmailbox.undertow..",
          "jakarta.persistence..",
          "jakarta.jms..",
          "java.sql..",
          "javax.sql..",
          "org.apache.activemq..");

  @TempDir private Path directory;

  @Test
  void theServletsKnowTheCoreOnly() {
    KNOWS_THE_CORE_ONLY.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.ejb.mailbox.MailboxBean",
        "org.svcmailbox.web.servlet.EndpointContext",
        "jakarta.persistence.EntityManager",
        "jakarta.jms.Queue",
        "io.undertow.Undertow",
        "org.xnio.XnioWorker"
      })
  void servletsThatKnowMoreAreReported(String type) {
    Planted.dependency("org.svcmailbox.rendezvous.Culprit", type)
        .breaks(KNOWS_THE_CORE_ONLY, directory);
  }
}
