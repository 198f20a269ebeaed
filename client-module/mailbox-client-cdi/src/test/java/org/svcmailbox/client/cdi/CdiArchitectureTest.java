package org.svcmailbox.client.cdi;

import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class CdiArchitectureTest {
  private static final String CDI = "org.svcmailbox.client.cdi";

  private static final ArchRule PORTABLE =
      ModuleRules.portable(
          CDI,
          "org.svcmailbox.core..",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.client.spi..",
          "org.jboss.weld..",
          "io.smallrye..",
          "org.junit..");

  @TempDir private Path directory;

  @Test
  void anyServerOfThePlatformCanRunIt() {
    PORTABLE.check(ModuleRules.mainClasses(CDI));
    Planted.dependency(CDI + ".Culprit", "org.jboss.weld.Target").breaks(PORTABLE, directory);
  }
}
