package org.svcmailbox.outbox;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class OutboxArchitectureTest {
  private static final String OUTBOX = "org.svcmailbox.outbox";
  private static final JavaClasses CLASSES = ModuleRules.mainClasses(OUTBOX);

  private static final ArchRule PORTABLE =
      ModuleRules.portable(
          OUTBOX,
          "org.svcmailbox.core..",
          "org.svcmailbox.ejb..",
          "org.hibernate..",
          "org.springframework..",
          "org.postgresql..",
          "org.sqlite..",
          "org.h2..",
          "org.junit..");

  private static final ArchRule NO_CYCLES =
      slices().matching(OUTBOX + ".(*)..").should().beFreeOfCycles();

  @TempDir private Path directory;

  @Test
  void anApplicationOfAnyKindCanEmbedIt() {
    PORTABLE.check(CLASSES);
    Planted.dependency(OUTBOX + ".Culprit", "org.svcmailbox.core.Target")
        .breaks(PORTABLE, directory);
  }

  @Test
  void packagesDependInOneDirection() {
    NO_CYCLES.check(CLASSES);
  }
}
