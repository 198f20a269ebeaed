package org.svcmailbox.grpc;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class GrpcArchitectureTest {
  private static final JavaClasses CLASSES = ModuleRules.mainClasses("org.svcmailbox.grpc");

  private static final ArchRule KNOWS_THE_CORE_ONLY =
      ModuleRules.portable(
          "org.svcmailbox.grpc",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.web..",
          "org.svcmailbox.core.worker..",
          "jakarta.persistence..",
          "jakarta.jms..",
          "java.sql..",
          "javax.sql..",
          "io.netty..",
          "org.apache.activemq..");

  @TempDir private Path directory;

  @Test
  void theDoorKnowsTheCoreOnly() {
    KNOWS_THE_CORE_ONLY.check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.svcmailbox.ejb.mailbox.MailboxBean",
        "org.svcmailbox.web.servlet.EndpointContext",
        "org.svcmailbox.core.worker.WorkerPool",
        "jakarta.persistence.EntityManager",
        "io.undertow.Undertow"
      })
  void aDoorThatKnowsMoreIsReported(String type) {
    Planted.dependency("org.svcmailbox.grpc.Culprit", type).breaks(KNOWS_THE_CORE_ONLY, directory);
  }
}
