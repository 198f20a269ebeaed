package org.svcmailbox.console.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A user who was proven a short while ago gets ten a minute. */
class StepUpTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final StepUp.Verdict GRANTED = new StepUp.Granted();
  private static final StepUp.Verdict UNCONFIRMED = new StepUp.Unconfirmed();

  // Just before the clock wraps: only differences may mean anything.
  private long now = Long.MAX_VALUE - Duration.ofMinutes(5).toNanos();

  private void pass(Duration time) {
    now += time.toNanos();
  }

  static Stream<Arguments> proofs() {
    Duration bound = TEN_MINUTES;
    Duration step = Duration.ofNanos(1);
    return Stream.of(
        Arguments.of(Duration.ZERO, Duration.ZERO, GRANTED),
        Arguments.of(Duration.ZERO, bound.minus(step), GRANTED),
        Arguments.of(Duration.ZERO, bound, UNCONFIRMED),
        Arguments.of(Duration.ofMinutes(4), Duration.ofMinutes(6).minus(step), GRANTED),
        Arguments.of(Duration.ofMinutes(4), Duration.ofMinutes(6), UNCONFIRMED),
        Arguments.of(bound, Duration.ZERO, UNCONFIRMED),
        Arguments.of(Duration.ofDays(30_000), Duration.ZERO, UNCONFIRMED),
        Arguments.of(null, Duration.ZERO, UNCONFIRMED));
  }

  @ParameterizedTest(name = "proven {0} before, {1} later: {2}")
  @MethodSource("proofs")
  void aProofCountsForTenMinutes(@Nullable Duration ago, Duration later, StepUp.Verdict verdict) {
    StepUp session = new StepUp(TEN_MINUTES, now, Optional.ofNullable(ago));
    pass(later);
    assertEquals(verdict, session.grant(now));
    session.confirmed(now);
    assertEquals(GRANTED, session.grant(now));
  }

  @Test
  void theEleventhInAMinuteWaitsForTheFirstToBeAMinuteOld() {
    StepUp session = new StepUp(TEN_MINUTES, now, Optional.of(Duration.ZERO));
    for (int i = 0; i < StepUp.MOST; i++) {
      assertEquals(GRANTED, session.grant(now), "number " + i);
      pass(Duration.ofSeconds(1));
    }
    assertEquals(new StepUp.TooMany(Duration.ofSeconds(50)), session.grant(now));
    pass(Duration.ofSeconds(50).minusNanos(1));
    assertEquals(new StepUp.TooMany(Duration.ofNanos(1)), session.grant(now));
    pass(Duration.ofNanos(1));
    assertEquals(GRANTED, session.grant(now), "a refusal does not count");
    assertEquals(new StepUp.TooMany(Duration.ofSeconds(1)), session.grant(now));
  }

  @Test
  void aConfirmationMakesNoRoom() {
    StepUp session = new StepUp(TEN_MINUTES, now, Optional.of(Duration.ZERO));
    for (int i = 0; i < StepUp.MOST; i++) {
      session.grant(now);
    }
    session.confirmed(now);
    assertEquals(new StepUp.TooMany(Duration.ofMinutes(1)), session.grant(now));
  }

  @Test
  void anUnconfirmedSessionUsesNothingUp() {
    StepUp session = new StepUp(TEN_MINUTES, now, Optional.empty());
    for (int i = 0; i < StepUp.MOST; i++) {
      assertEquals(UNCONFIRMED, session.grant(now));
    }
    session.confirmed(now);
    assertEquals(GRANTED, session.grant(now));
  }
}
