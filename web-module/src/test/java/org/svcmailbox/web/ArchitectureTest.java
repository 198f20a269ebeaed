package org.svcmailbox.web;

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
          .importPackages("org.svcmailbox.web");

  private static final ArchRule IS_A_DOOR_ONLY =
      noClasses()
          .that()
          .resideInAPackage("org.svcmailbox.web..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.svcmailbox.ejb..",
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
  void theDoorsKnowNeitherServerNorStoreNorBroker() {
    IS_A_DOOR_ONLY.check(CLASSES);
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
  void aDoorThatKnowsMoreIsReported(String type) {
    Planted.dependency("org.svcmailbox.web.Culprit", type).breaks(IS_A_DOOR_ONLY, directory);
  }
}
