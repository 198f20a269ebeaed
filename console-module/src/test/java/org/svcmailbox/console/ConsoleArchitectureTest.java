package org.svcmailbox.console;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class ConsoleArchitectureTest {
  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.console");

  private static final ArchRule DEPENDS_ON_THE_CORE_ONLY =
      ModuleRules.portable(
          "org.svcmailbox.console",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.web..",
          "org.svcmailbox.undertow..",
          "jakarta.persistence..",
          "jakarta.jms..",
          "java.sql..",
          "javax.sql..",
          "org.apache.activemq..");

  @TempDir private Path directory;

  @Test
  void theConsoleDependsOnTheCoreOnly() {
    DEPENDS_ON_THE_CORE_ONLY.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.ejb.mailbox.MailboxBean",
        "jakarta.persistence.EntityManager",
        "jakarta.jms.Queue",
        "io.undertow.Undertow",
        "org.xnio.XnioWorker",
        "org.jboss.logging.Logger",
        "org.wildfly.common.Assert"
      })
  void aForbiddenDependencyIsReported(String type) {
    Planted.dependency("org.svcmailbox.console.Culprit", type)
        .breaks(DEPENDS_ON_THE_CORE_ONLY, directory);
  }
}
