package org.svcmailbox.core.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.Problem;

class ReactionTest {
  private static final Duration TWO = Duration.ofSeconds(2);
  private static final Refusal REVOKED = Refusal.denied(Denial.REVOKED);
  private static final Refusal SCOPE = Refusal.denied(Denial.OPERATION);
  private static final Refusal SCHEMA = new Refusal(Problem.E_SCHEMA, "schema", "no", null);
  private static final Refusal MISSING = new Refusal(Problem.E_NOT_FOUND, "", "no", null);

  static Stream<Arguments> table() {
    return Stream.of(
        Arguments.of(REVOKED, new Reaction.Stop(StreamEnd.CAPABILITY, REVOKED)),
        Arguments.of(SCOPE, new Reaction.Stop(StreamEnd.CAPABILITY, SCOPE)),
        Arguments.of(
            Refusal.denied(Denial.UNVERIFIED),
            new Reaction.Wait(Pause.UNAVAILABLE, Duration.ofSeconds(1))),
        Arguments.of(MISSING, new Reaction.Stop(StreamEnd.TOPIC, null)),
        Arguments.of(
            Refusal.unavailable("draining", "stops", TWO),
            new Reaction.Stop(StreamEnd.DRAIN, null)),
        Arguments.of(
            Refusal.unavailable("broker_away", "away", TWO),
            new Reaction.Wait(Pause.UNAVAILABLE, TWO)),
        Arguments.of(
            Refusal.saturated("rate_topic", "often", TWO), new Reaction.Wait(Pause.RATE, TWO)),
        Arguments.of(
            Refusal.saturated("rate_capability", "often", TWO), new Reaction.Wait(Pause.RATE, TWO)),
        Arguments.of(
            Refusal.saturated("max_inflight", "held", TWO), new Reaction.Wait(Pause.BOUND, TWO)),
        Arguments.of(
            new Refusal(Problem.E_SATURATED, "max_waiting", "full", null),
            new Reaction.Wait(Pause.BOUND, Reaction.SOON)),
        Arguments.of(SCHEMA, new Reaction.Stop(StreamEnd.ERROR, SCHEMA)));
  }

  @ParameterizedTest
  @MethodSource("table")
  void aRefusalEndsTheStreamOrPausesIt(Refusal refusal, Reaction expected) {
    assertEquals(expected, Reaction.to(refusal));
  }
}
