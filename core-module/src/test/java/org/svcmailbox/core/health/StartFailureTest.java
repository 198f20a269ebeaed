package org.svcmailbox.core.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.test.log.OwnLog;

@Isolated("it sets system properties")
class StartFailureTest {
  @AfterEach
  void forget() {
    System.clearProperty("org.svcmailbox.application");
    System.clearProperty("org.svcmailbox.application.failure");
  }

  @Test
  void aFailureIsSaidInOneLineAndOnceHoweverManyModulesItFails() {
    StartException failure = new StartException("No database. Start it", false, null);
    try (OwnLog log = new OwnLog(StartFailure.class.getName())) {
      assertTrue(StartFailure.report(failure));
      assertTrue(StartFailure.report(new IllegalStateException("wrapped", failure)));
      assertEquals(List.of("SEVERE No database. Start it"), log.lines());
    }
    assertEquals("unavailable", System.getProperty("org.svcmailbox.application"));
    assertEquals("No database. Start it", System.getProperty("org.svcmailbox.application.failure"));
  }

  @Test
  void whatNoStartCanGetOverIsRefused() {
    assertTrue(StartFailure.report(new StartException("Correct the setting", true, null)));
    assertEquals("refused", System.getProperty("org.svcmailbox.application"));
  }

  @Test
  void anUnexplainedFailureIsLeftToTheServer() {
    try (OwnLog log = new OwnLog(StartFailure.class.getName())) {
      assertFalse(StartFailure.report(new IllegalStateException("a defect")));
      assertEquals(List.of(), log.lines());
    }
    assertEquals(null, System.getProperty("org.svcmailbox.application"));
  }
}
