package org.svcmailbox.ejb;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class EjbArchitectureTest {
  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.ejb");

  private static final ArchRule IS_PORTABLE =
      ModuleRules.portable(
          "org.svcmailbox.ejb",
          "org.svcmailbox.web..",
          "org.svcmailbox.undertow..",
          "org.svcmailbox.core.worker..");

  private static final String EJB = "org.svcmailbox.ejb.";

  private static final ArchRule NO_CYCLES =
      slices().matching("org.svcmailbox.ejb.(*)..").should().beFreeOfCycles();

  /** The packages that know Artemis, in their order: each may use those before it. */
  private static final LayeredArchitecture ARTEMIS =
      // Optional, so that a planted class alone is judged by what it uses.
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("codec")
          .definedBy(EJB + "codec..")
          .layer("link")
          .definedBy(EJB + "link..")
          .layer("admin")
          .definedBy(EJB + "admin..")
          .layer("letters")
          .definedBy(EJB + "letters..")
          .layer("broker")
          .definedBy(EJB + "broker..")
          .whereLayer("codec")
          .mayNotAccessAnyLayer()
          .whereLayer("link")
          .mayOnlyAccessLayers("codec")
          .whereLayer("admin")
          .mayOnlyAccessLayers("codec", "link")
          .whereLayer("letters")
          .mayOnlyAccessLayers("codec", "link", "admin");

  @TempDir private Path directory;

  @Test
  void theBeansRunInAnyServer() {
    IS_PORTABLE.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.web.MailboxApplication",
        "org.svcmailbox.core.worker.state.WorkerContext",
        "io.undertow.Undertow",
        "org.xnio.XnioWorker",
        "org.jboss.logging.Logger",
        "org.wildfly.common.Assert",
        "org.hibernate.Session"
      })
  void aBeanThatKnowsOneServerIsReported(String type) {
    Planted.dependency("org.svcmailbox.ejb.Culprit", type).breaks(IS_PORTABLE, directory);
  }

  @Test
  void packagesHaveNoCycles() {
    NO_CYCLES.check(CLASSES);
  }

  @Test
  void aCycleIsReported() {
    Planted.dependency(EJB + "new1.One", EJB + "new2.Two")
        .and(EJB + "new2.Two", EJB + "new1.One")
        .breaks(NO_CYCLES, directory);
  }

  @Test
  void thePackagesOfArtemisKeepTheirOrder() {
    ARTEMIS.check(CLASSES);
  }

  @ParameterizedTest
  @CsvSource({"codec, link", "link, admin", "admin, letters", "letters, broker"})
  void aPackageThatUsesALaterOneIsReported(String earlier, String later) {
    Planted.dependency(EJB + earlier + ".Culprit", EJB + later + ".Target")
        .breaks(ARTEMIS, directory);
  }
}
