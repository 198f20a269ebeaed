package org.svcmailbox.core.worker.handover;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.worker.state.WorkerScene;

/** Sample messages live for seven days, and their topic's messages for its retention. */
class LeasedExpiryTest {
  private static final int MEBI = 1 << 20;
  private static final Duration LIFE = Duration.ofDays(7);

  private final WorkerScene scene = new WorkerScene();
  private final LeasedExpiry expiry = new LeasedExpiry(scene.context);

  private StoredMessage leased(int number, int size) {
    StoredMessage message =
        SampleMessages.message(
            scene.topic.shard(0),
            number,
            scene.time.instant(),
            new byte[size],
            Attributes.NONE,
            null);
    scene.put(message);
    scene.lease(scene.fetch(), Long.MAX_VALUE);
    return message;
  }

  private void handOver() {
    expiry.stage(slot -> true, Duration.ofHours(1));
    scene.commit();
  }

  private Instant end(StoredMessage message) {
    return requireNonNull(scene.broker.everything().get(message.envelope().msgId())).expiresAt();
  }

  /** Whether the message has so many milliseconds more than the hour of a restart. */
  @ParameterizedTest
  @CsvSource({"-1, true", "0, false", "1, false"})
  void aMessageThatWouldExpireDuringTheRestartLivesLonger(long millis, boolean isProlonged) {
    StoredMessage message = leased(1, 1);
    scene.time.advance(LIFE.minusHours(1).minusMillis(millis));
    Instant restarted = scene.time.instant().plus(Duration.ofHours(1));
    handOver();
    Instant later = restarted.plus(scene.topic.settings().retention().ready());
    assertEquals(isProlonged ? later : message.expiresAt(), end(message));
  }

  @Test
  void messagesOfOtherGroupsKeepTheirEnd() {
    StoredMessage message = leased(1, 1);
    scene.time.advance(LIFE);
    expiry.stage(slot -> slot != message.envelope().msgId().slot(), Duration.ofHours(1));
    scene.commit();
    assertEquals(message.expiresAt(), end(message));
  }

  /** A rewritten message costs the restart its bytes. */
  @Test
  void sixteenMebibytesAreRewrittenAtMost() {
    for (int i = 1; i <= 5; i++) {
      leased(i, 4 * MEBI);
    }
    scene.time.advance(LIFE);
    handOver();
    long prolonged =
        scene.broker.everything().values().stream()
            .filter(message -> message.expiresAt().isAfter(scene.time.instant()))
            .count();
    assertEquals(4, prolonged);
  }
}
