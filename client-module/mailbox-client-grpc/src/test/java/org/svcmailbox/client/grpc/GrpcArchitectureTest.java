package org.svcmailbox.client.grpc;

import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class GrpcArchitectureTest {
  private static final String GRPC = "org.svcmailbox.client.grpc";

  private static final ArchRule STANDS_ALONE =
      ModuleRules.portable(
          GRPC,
          "org.svcmailbox.core..",
          "org.svcmailbox.ejb..",
          "org.svcmailbox.grpc..",
          "jakarta..",
          "org.junit..");

  @TempDir private Path directory;

  @Test
  void grpcNeedsNoPartOfTheServer() {
    STANDS_ALONE.check(ModuleRules.mainClasses(GRPC));
    Planted.dependency(GRPC + ".Culprit", "org.svcmailbox.grpc.Target")
        .breaks(STANDS_ALONE, directory);
  }
}
