package org.svcmailbox.ejb;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class EjbArchitectureTest {
  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.ejb");

  private static final ArchRule IS_PORTABLE =
      ModuleRules.portable(
          "org.svcmailbox.ejb", "org.svcmailbox.web..", "org.svcmailbox.undertow..");

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
