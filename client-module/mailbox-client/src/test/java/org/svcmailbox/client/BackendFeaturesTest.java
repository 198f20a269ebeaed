package org.svcmailbox.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.BackendFeatures.CountAccuracy;
import org.svcmailbox.client.BackendFeatures.DeadLetters;
import org.svcmailbox.client.BackendFeatures.Durability;
import org.svcmailbox.client.BackendFeatures.KeyScope;
import org.svcmailbox.client.BackendFeatures.Ordering;

class BackendFeaturesTest {
  private static final Duration ANY = BackendFeatures.UNBOUNDED;
  private static final Duration HALF_A_DAY = Duration.ofHours(12);
  private static final Duration TWENTY = Duration.ofSeconds(20);

  /** The comparison table of docs/CLIENT.md, row by row. */
  @Test
  void theTableIsAsSpecified() {
    assertEquals(
        List.of(
            List.of(
                Ordering.BEST_EFFORT,
                TWENTY,
                HALF_A_DAY,
                CountAccuracy.LAGGING,
                Durability.REPLICATED,
                KeyScope.NONE,
                DeadLetters.NATIVE,
                10),
            List.of(
                Ordering.STRICT,
                TWENTY,
                HALF_A_DAY,
                CountAccuracy.LAGGING,
                Durability.REPLICATED,
                KeyScope.WINDOW,
                DeadLetters.NATIVE,
                10),
            List.of(
                Ordering.FIFO,
                ANY,
                ANY,
                CountAccuracy.EXACT,
                Durability.CONFIGURED,
                KeyScope.UNTIL_ACKNOWLEDGED,
                DeadLetters.LOOP,
                100),
            List.of(
                Ordering.FIFO,
                ANY,
                ANY,
                CountAccuracy.EXACT,
                Durability.NONE,
                KeyScope.UNTIL_ACKNOWLEDGED,
                DeadLetters.LOOP,
                100),
            List.of(
                Ordering.FIFO_PER_SHARD,
                Duration.ofSeconds(30),
                HALF_A_DAY,
                CountAccuracy.LIVE,
                Durability.FSYNC,
                KeyScope.WINDOW,
                DeadLetters.NATIVE,
                100)),
        List.of(
            row(BackendFeatures.SQS_STANDARD),
            row(BackendFeatures.SQS_FIFO),
            row(BackendFeatures.REDIS),
            row(BackendFeatures.IN_MEMORY),
            row(BackendFeatures.HTTP)));
    assertEquals(Duration.ofMillis(250), BackendFeatures.HTTP.minVisibility());
    assertEquals(Duration.ofMinutes(5), BackendFeatures.SQS_FIFO.keyWindow());
  }

  private static List<Object> row(BackendFeatures can) {
    return List.of(
        can.ordering(),
        can.maxWait(),
        can.maxVisibility(),
        can.count(),
        can.durability(),
        can.keys(),
        can.deadLetters(),
        can.maxBatch());
  }

  @Test
  void aResultIsAnAnswerOrACause() {
    Sent sent = new Sent("17", false);
    assertEquals(sent, new SendResult.Accepted(sent).orThrow());
    SendResult failed = new SendResult.Failed(new MailboxFullException("full"));
    assertThrows(MailboxFullException.class, failed::orThrow);
  }

  @Test
  void aReceiveUsesWhatTheBackendAllows() {
    assertEquals(TWENTY, BackendFeatures.HTTP.usualWait());
    assertEquals(
        Duration.ofSeconds(5),
        BackendFeatures.HTTP.with(changed -> changed.maxWait(Duration.ofSeconds(5))).usualWait());
    assertEquals(Duration.ofSeconds(30), BackendFeatures.HTTP.usualVisibility());
    assertEquals(
        Duration.ofSeconds(40),
        BackendFeatures.HTTP
            .with(changed -> changed.minVisibility(Duration.ofSeconds(40)))
            .usualVisibility());
    assertEquals(
        Duration.ofSeconds(10),
        BackendFeatures.HTTP
            .with(changed -> changed.maxVisibility(Duration.ofSeconds(10)))
            .usualVisibility());
  }
}
