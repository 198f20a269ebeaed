package org.svcmailbox.core.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.health.ApplicationState.Half;

class ApplicationStateTest {
  @AfterEach
  void end() {
    ApplicationState.ended(Half.MAILBOX);
    ApplicationState.ended(Half.ENDPOINTS);
    System.clearProperty("org.svcmailbox.application");
    System.clearProperty("org.svcmailbox.application.failure");
  }

  private static @Nullable String state() {
    return System.getProperty("org.svcmailbox.application");
  }

  @Test
  void itServesWhileBothHalvesAreThere() {
    ApplicationState.begun(Half.ENDPOINTS);
    assertNull(state());
    ApplicationState.begun(Half.MAILBOX);
    assertEquals("serving", state());
    ApplicationState.ended(Half.MAILBOX);
    assertNull(state());
  }

  @Test
  void thatItWasRefusedIsKnownUntilItServes() {
    ApplicationState.failed("Correct the setting", true);
    ApplicationState.begun(Half.ENDPOINTS);
    ApplicationState.ended(Half.ENDPOINTS);
    assertEquals("refused", state());
    ApplicationState.begun(Half.ENDPOINTS);
    ApplicationState.begun(Half.MAILBOX);
    assertEquals("serving", state());
  }
}
