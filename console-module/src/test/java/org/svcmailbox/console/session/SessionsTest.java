package org.svcmailbox.console.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.ConsoleRole;
import org.svcmailbox.core.capability.ConsoleUser;

/** When sessions begin and end, on a clock that a test moves. */
class SessionsTest {
  private static final ConsoleUser ANN = new ConsoleUser("ann", ConsoleRole.VIEWER);
  private static final Duration IDLE = Duration.ofMinutes(30);
  private static final Duration LONGEST = Duration.ofHours(2);

  // Just before the clock wraps: only differences may mean anything.
  private long nanos = Long.MAX_VALUE - Duration.ofMinutes(20).toNanos();
  private final Sessions sessions =
      new Sessions(new Sessions.Terms(3, IDLE, LONGEST), new SecureRandom(), () -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void aSessionIsKnownByItsTokenAndByNothingElse() {
    String token = sessions.begin(ANN);
    assertEquals(Optional.of(ANN), sessions.of(token));
    assertEquals(Optional.empty(), sessions.of(token + "A"));
    assertEquals(Optional.empty(), sessions.of(""));
    assertNotEquals(token, sessions.begin(ANN));
    assertTrue(token.matches("[A-Za-z0-9_-]{43}"), "256 random bits");
  }

  @Test
  void itEndsAfterSoLongWithoutUse() {
    String token = sessions.begin(ANN);
    pass(IDLE.minusNanos(1));
    assertEquals(Optional.of(ANN), sessions.of(token), "looking is no use");
    pass(Duration.ofNanos(1));
    assertEquals(Optional.empty(), sessions.of(token));
    assertEquals(Optional.empty(), sessions.use(token), "use does not bring it back");
    assertEquals(Optional.empty(), sessions.of(token));
  }

  @Test
  void useKeepsItButNotForEver() {
    String token = sessions.begin(ANN);
    for (int i = 0; i < 4; i++) {
      pass(IDLE.minusMinutes(1));
      assertEquals(Optional.of(ANN), sessions.use(token), "after " + i);
    }
    pass(LONGEST.minus(IDLE.minusMinutes(1).multipliedBy(4)).minusNanos(1));
    assertEquals(Optional.of(ANN), sessions.use(token));
    pass(Duration.ofNanos(1));
    assertEquals(Optional.empty(), sessions.use(token));
  }

  @Test
  void whoSignsOutIsOutOnce() {
    String token = sessions.begin(ANN);
    assertEquals(Optional.of(ANN), sessions.end(token));
    assertEquals(Optional.empty(), sessions.of(token));
    assertEquals(Optional.empty(), sessions.end(token));
  }

  @Test
  void theOneThatWasUsedLeastLatelyGoesForOneMore() {
    String first = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    String second = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    String third = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    sessions.use(first);
    String fourth = sessions.begin(ANN);
    assertEquals(Optional.empty(), sessions.of(second));
    assertEquals(Optional.of(ANN), sessions.of(first));
    assertEquals(Optional.of(ANN), sessions.of(third));
    assertEquals(Optional.of(ANN), sessions.of(fourth));
  }

  @Test
  void thoseThatAreOverTakeNobodysPlace() {
    String first = sessions.begin(ANN);
    pass(IDLE.minusSeconds(1));
    String second = sessions.begin(ANN);
    String third = sessions.begin(ANN);
    pass(Duration.ofSeconds(1));
    String fourth = sessions.begin(ANN);
    assertEquals(Optional.empty(), sessions.of(first));
    for (String token : new String[] {second, third, fourth}) {
      assertEquals(Optional.of(ANN), sessions.of(token));
    }
  }
}
