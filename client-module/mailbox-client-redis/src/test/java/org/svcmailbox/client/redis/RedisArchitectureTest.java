package org.svcmailbox.client.redis;

import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.architecture.ModuleRules;
import org.svcmailbox.test.architecture.Planted;

class RedisArchitectureTest {
  private static final String REDIS = "org.svcmailbox.client.redis";

  private static final ArchRule STANDS_ALONE =
      ModuleRules.portable(
          REDIS, "org.svcmailbox.core..", "org.svcmailbox.ejb..", "jakarta..", "org.junit..");

  @TempDir private Path directory;

  @Test
  void redisNeedsNoPartOfTheServer() {
    STANDS_ALONE.check(ModuleRules.mainClasses(REDIS));
    Planted.dependency(REDIS + ".Culprit", "org.svcmailbox.core.Target")
        .breaks(STANDS_ALONE, directory);
  }
}
