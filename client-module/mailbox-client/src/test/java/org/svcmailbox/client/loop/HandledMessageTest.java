package org.svcmailbox.client.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.HandledMessage.Interruption;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;

/** When the keeper of leases has to look at a job. */
class HandledMessageTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualClock clock = new VirtualClock();
  private final InMemoryMailbox<String, String> mailbox =
      InMemoryMailbox.<String, String>builder("orders", Codecs.utf8(), Codecs.utf8())
          .clock(clock)
          .build();

  @BeforeEach
  void send() {
    String unused = mailbox.send("apple");
  }

  /** Its lease of an hour is due after a third. */
  private HandledMessage<String, String> job(Duration maxExecution) {
    return new HandledMessage<>(
        mailbox.receive(1, HOUR, Duration.ZERO).get(0), HOUR, maxExecution, clock);
  }

  /** Where time passes after the keeper has looked, and before it asks when to look again. */
  @ParameterizedTest
  @CsvSource({"1, 3600, OUT_OF_TIME", "3600, 1, OVERDUE"})
  void anEndBetweenTheLookAndTheQuestionIsDueAtOnce(
      long requestSeconds, long executionSeconds, Interruption expected) {
    HandledMessage<String, String> job = job(Duration.ofSeconds(executionSeconds));
    job.limit(Duration.ofSeconds(requestSeconds));
    assertTrue(job.begin());
    job.watch();
    clock.advance(SECOND);

    assertTrue(clock.isPast(job.nextDue()));

    job.watch();
    assertEquals(expected, job.handled());
    assertFalse(clock.isPast(job.nextDue()), "it is dealt with once");
  }

  @Test
  void aLimitThatIsOverAlreadyIsDueAtOnce() {
    HandledMessage<String, String> job = job(HOUR);
    assertTrue(job.begin());
    job.limit(Duration.ZERO);
    assertTrue(clock.isPast(job.nextDue()));
    job.watch();
    assertEquals(Interruption.OUT_OF_TIME, job.handled());
  }

  @Test
  void otherwiseTheExtensionIsNext() {
    HandledMessage<String, String> job = job(HOUR);
    clock.advance(Duration.ofMinutes(20).minusNanos(1));
    job.watch();
    assertFalse(clock.isPast(job.nextDue()));
    clock.advance(Duration.ofNanos(1));
    assertTrue(clock.isPast(job.nextDue()));
  }
}
