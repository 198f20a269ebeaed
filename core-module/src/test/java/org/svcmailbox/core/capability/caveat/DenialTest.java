package org.svcmailbox.core.capability.caveat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Condition;

class DenialTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "topic = orders",
        "topic = orders.*",
        "mailbox = 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
        "ops = send",
        "idem_prefix = app1:",
        "expires < 2026-12-01T00:00:00Z",
        "not_before > 2026-12-01T00:00:00Z",
        "ip = 10.0.0.0/8"
      })
  void aKnownConditionHasADenialOfItsOwn(String caveat) {
    assertNotEquals(Denial.UNKNOWN_CAVEAT, Denial.of(Caveat.parse(caveat).condition()));
  }

  /** The eight above, those that count, and the unknown one. */
  @Test
  void thereAreNoOtherConditions() {
    assertEquals(10, Condition.class.getPermittedSubclasses().length);
  }
}
