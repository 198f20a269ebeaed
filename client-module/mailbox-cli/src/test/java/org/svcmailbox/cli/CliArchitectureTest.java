package org.svcmailbox.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class CliArchitectureTest {
  private static final String CLI = "org.svcmailbox.cli";

  private static final ArchRule STANDS_ALONE =
      ModuleRules.portable(
          CLI,
          "org.svcmailbox.core..",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.client.spi..",
          "jakarta..",
          "org.junit..");

  private static final ArchRule VERIFIES_OFFLINE =
      noClasses()
          .that()
          .haveNameMatching(".*\\.(Verify|CapInspect|CapNarrow).*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.svcmailbox.client.http..", "java.net..");

  @TempDir private Path directory;

  @Test
  void theCommandLineNeedsNoPartOfTheServer() {
    STANDS_ALONE.check(ModuleRules.mainClasses(CLI));
    Planted.dependency(CLI + ".Culprit", "org.svcmailbox.core.Target")
        .breaks(STANDS_ALONE, directory);
  }

  @Test
  void whatIsOfflineKnowsNoNetwork() {
    VERIFIES_OFFLINE.check(ModuleRules.mainClasses(CLI));
    Planted.dependency(CLI + ".VerifyCulprit", "org.svcmailbox.client.http.Target")
        .breaks(VERIFIES_OFFLINE, directory);
  }
}
