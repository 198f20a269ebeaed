package org.svcmailbox.core.worker.settle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.settings.TopicSettings;
import org.svcmailbox.core.worker.settle.FailurePolicy.Decision;
import org.svcmailbox.core.worker.settle.FailurePolicy.GiveUp;
import org.svcmailbox.core.worker.settle.FailurePolicy.Redeliver;

class FailurePolicyTest {
  /** Five attempts, a backoff of 100 ms that doubles up to 30 s. */
  private static final TopicSettings SETTINGS = SampleShard.topic(1, "orders").settings();

  private static final Decision DEAD = new GiveUp(DeadLetterReason.MAX_ATTEMPTS);

  /** Always the greatest value. */
  private static final RandomGenerator HIGHEST = new Bound(1);

  /** Always 0. */
  private static final RandomGenerator LOWEST = new Bound(0);

  private record Bound(long share) implements RandomGenerator {
    @Override
    public long nextLong() {
      throw new AssertionError("a bound is asked for");
    }

    @Override
    public long nextLong(long bound) {
      return share * (bound - 1);
    }
  }

  private static Decision afterNack(int attempt, @Nullable Duration asked, RandomGenerator random) {
    return FailurePolicy.afterNack(attempt, SETTINGS, asked, random);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "4, true", "5, false", "6, false", "2147483647, false"})
  void theLastAttemptIsNotRepeated(int attempt, boolean isRepeated) {
    Decision expired = FailurePolicy.afterExpiry(attempt, SETTINGS);
    assertEquals(isRepeated ? new Redeliver(Duration.ZERO) : DEAD, expired);
    Duration asked = Duration.ofHours(3);
    assertEquals(isRepeated ? new Redeliver(asked) : DEAD, afterNack(attempt, asked, LOWEST));
    assertEquals(isRepeated, afterNack(attempt, null, HIGHEST) instanceof Redeliver);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 30_000, 86_400_000})
  void aNackThatNamesItsDelayGetsIt(long millis) {
    Duration asked = Duration.ofMillis(millis);
    assertEquals(new Redeliver(asked), afterNack(1, asked, HIGHEST));
  }

  @ParameterizedTest
  @CsvSource({"1, 200", "2, 400", "3, 800", "4, 1600"})
  void aNackWithoutOneBacksOffWithFullJitter(int attempt, long most) {
    assertEquals(new Redeliver(Duration.ofMillis(most)), afterNack(attempt, null, HIGHEST));
    assertEquals(new Redeliver(Duration.ZERO), afterNack(attempt, null, LOWEST));
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 62, 63, 64, 100_000, Integer.MAX_VALUE})
  void theBackoffHasACeilingAndDoesNotOverflow(int attempt) {
    assertEquals(Duration.ofSeconds(30), FailurePolicy.backoff(attempt, SETTINGS, HIGHEST));
    RandomGenerator random = new Random(attempt);
    assertTrue(
        IntStream.range(0, 100)
            .mapToObj(i -> FailurePolicy.backoff(attempt, SETTINGS, random))
            .allMatch(
                delay -> !delay.isNegative() && delay.compareTo(Duration.ofSeconds(30)) <= 0));
  }
}
