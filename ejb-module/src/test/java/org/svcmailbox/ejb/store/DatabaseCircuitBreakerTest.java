package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;

class DatabaseCircuitBreakerTest {
  private final DatabaseCircuitBreaker breaker = new DatabaseCircuitBreaker();

  @Test
  void aConnectionThatIsLostAtOnceIsNoReasonNotToMakeAnother() {
    breaker.connectionLost(Duration.ofMillis(999));
    assertDoesNotThrow(breaker::requireClosed);
  }

  @Test
  void nobodyTriesADatabaseThatCannotBeReachedUntilItAnswers() {
    breaker.open();
    assertThrows(UnavailableException.class, breaker::requireClosed);
    breaker.close();
    assertDoesNotThrow(breaker::requireClosed);
  }

  @Test
  void whoComesAfterOneThatWaitedInVainIsRefusedUntilTheDatabaseAnswers() {
    breaker.connectionLost(Duration.ofMillis(1_001));
    assertThrows(UnavailableException.class, breaker::requireClosed);
    breaker.connectionLost(Duration.ZERO);
    assertThrows(UnavailableException.class, breaker::requireClosed);
    breaker.close();
    assertDoesNotThrow(breaker::requireClosed);
  }
}
