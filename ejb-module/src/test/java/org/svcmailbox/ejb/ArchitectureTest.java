package org.svcmailbox.ejb;

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
          .importPackages("org.svcmailbox.ejb");

  private static final ArchRule IS_PORTABLE =
      noClasses()
          .that()
          .resideInAPackage("org.svcmailbox.ejb..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.svcmailbox.web..", "org.svcmailbox.undertow..")
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage(ForbiddenPackages.serverInternals());

  @TempDir private Path directory;

  @Test
  void theBeansRunInAnyServer() {
    IS_PORTABLE.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.web.MailboxApplication",
        "io.undertow.Undertow",
        "org.xnio.XnioWorker",
        "org.jboss.logging.Logger",
        "org.wildfly.common.Assert",
        "org.hibernate.Session"
      })
  void aBeanThatKnowsOneServerIsReported(String type) {
    Planted.dependency("org.svcmailbox.ejb.Culprit", type).breaks(IS_PORTABLE, directory);
  }
}
