package org.svcmailbox.worker;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class WorkerArchitectureTest {
  private static final String WORKER = "org.svcmailbox.worker";
  private static final JavaClasses CLASSES = ModuleRules.mainClasses(WORKER);

  private static final ArchRule OUTSIDE_THE_SERVICE =
      ModuleRules.portable(
          WORKER,
          "org.svcmailbox.core..",
          "org.svcmailbox.ejb..",
          "org.springframework..",
          "jakarta..",
          "org.junit..");

  private static final ArchRule NO_CYCLES =
      slices().matching(WORKER + ".(*)..").should().beFreeOfCycles();

  @TempDir private Path directory;

  @Test
  void itKnowsTheServiceByItsCallsAlone() {
    OUTSIDE_THE_SERVICE.check(CLASSES);
    Planted.dependency(WORKER + ".run.Culprit", "org.svcmailbox.core.Target")
        .breaks(OUTSIDE_THE_SERVICE, directory);
  }

  @Test
  void packagesDependInOneDirection() {
    NO_CYCLES.check(CLASSES);
    Planted.dependency(WORKER + ".config.Culprit", WORKER + ".run.Target")
        .and(WORKER + ".run.Target", WORKER + ".config.Culprit")
        .breaks(NO_CYCLES, directory);
  }
}
