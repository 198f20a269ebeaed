package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.problem.UnavailableException;

class PatienceTest {
  private final Patience patience = new Patience();

  @Test
  void aConnectionThatIsLostAtOnceIsNoReasonNotToMakeAnother() {
    patience.lost(Duration.ofMillis(999));
    assertDoesNotThrow(patience::require);
  }

  @Test
  void nobodyTriesADatabaseThatCannotBeReachedUntilItAnswers() {
    patience.end();
    assertThrows(UnavailableException.class, patience::require);
    patience.renew();
    assertDoesNotThrow(patience::require);
  }

  @Test
  void whoComesAfterOneThatWaitedInVainIsRefusedUntilTheDatabaseAnswers() {
    patience.lost(Duration.ofMillis(1_001));
    assertThrows(UnavailableException.class, patience::require);
    patience.lost(Duration.ZERO);
    assertThrows(UnavailableException.class, patience::require);
    patience.renew();
    assertDoesNotThrow(patience::require);
  }
}
