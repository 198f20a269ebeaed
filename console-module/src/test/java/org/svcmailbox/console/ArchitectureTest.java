package org.svcmailbox.console;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.architecture.ForbiddenPackages;
import org.svcmailbox.core.architecture.Planted;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.svcmailbox.console");

  private static final ArchRule KNOWS_THE_CORE_ONLY =
      noClasses()
          .that()
          .resideInAPackage("org.svcmailbox.console..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.svcmailbox.ejb..",
              "org.svcmailbox.web..",
              "org.svcmailbox.undertow..",
              "jakarta.persistence..",
              "jakarta.jms..",
              "java.sql..",
              "javax.sql..",
              "org.apache.activemq..")
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage(ForbiddenPackages.serverInternals());

  @TempDir private Path directory;

  @Test
  void theConsoleKnowsNeitherServerNorStoreNorBroker() {
    KNOWS_THE_CORE_ONLY.check(CLASSES);
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
  void aConsoleThatKnowsMoreIsReported(String type) {
    Planted.dependency("org.svcmailbox.console.Culprit", type)
        .breaks(KNOWS_THE_CORE_ONLY, directory);
  }
}
