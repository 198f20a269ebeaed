package org.svcmailbox.web;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class WebArchitectureTest {
  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.web");

  private static final ArchRule IS_PORTABLE =
      ModuleRules.portable(
          "org.svcmailbox.web",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.undertow..",
          "org.svcmailbox.core.worker..",
          "jakarta.persistence..",
          "jakarta.jms..",
          "java.sql..",
          "javax.sql..",
          "org.apache.activemq..");

  @TempDir private Path directory;

  @Test
  void endpointsDependOnNeitherServerNorStoreNorBroker() {
    IS_PORTABLE.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.ejb.mailbox.MailboxBean",
        "org.svcmailbox.core.worker.state.WorkerContext",
        "jakarta.persistence.EntityManager",
        "jakarta.jms.Queue",
        "io.undertow.Undertow",
        "org.xnio.XnioWorker",
        "org.jboss.logging.Logger",
        "org.wildfly.common.Assert"
      })
  void aForbiddenDependencyIsReported(String type) {
    Planted.dependency("org.svcmailbox.web.Culprit", type).breaks(IS_PORTABLE, directory);
  }
}
