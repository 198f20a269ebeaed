package org.svcmailbox.spring;

import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class SpringArchitectureTest {
  private static final String SPRING = "org.svcmailbox.spring";

  private static final ArchRule STANDS_ALONE =
      ModuleRules.portable(
          SPRING,
          "org.svcmailbox.core..",
          "org.svcmailbox.client.spi..",
          "jakarta..",
          "org.junit..");

  @TempDir private Path directory;

  @Test
  void theStarterNeedsTheClientAlone() {
    STANDS_ALONE.check(ModuleRules.mainClasses(SPRING));
    Planted.dependency(SPRING + ".Culprit", "org.svcmailbox.core.Target")
        .breaks(STANDS_ALONE, directory);
  }
}
