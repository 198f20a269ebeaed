package org.svcmailbox.client.sqs;

import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class SqsArchitectureTest {
  private static final String SQS = "org.svcmailbox.client.sqs";

  private static final ArchRule STANDS_ALONE =
      ModuleRules.portable(
          SQS, "org.svcmailbox.core..", "org.svcmailbox.ejb..", "jakarta..", "org.junit..");

  @TempDir private Path directory;

  @Test
  void sqsNeedsNoPartOfTheServer() {
    STANDS_ALONE.check(ModuleRules.mainClasses(SQS));
    Planted.dependency(SQS + ".Culprit", "org.svcmailbox.core.Target")
        .breaks(STANDS_ALONE, directory);
  }
}
