package org.svcmailbox.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LoopsTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final AtomicInteger stored = new AtomicInteger();

  private final class Counting implements QueueClient {
    @Override
    public void send(int messages) {
      stored.addAndGet(messages);
    }

    @Override
    public int receive(int most) {
      int before = stored.getAndUpdate(left -> Math.max(0, left - most));
      return Math.min(before, most);
    }

    @Override
    public void close() {}
  }

  @Test
  void fillingGoesOnUntilThereAreEnough() throws InterruptedException {
    ClosedLoop.fill(number -> new Counting(), 3, 10, 100);
    assertEquals(100, stored.get());
  }

  @Test
  void receivingEndsWhenNothingIsLeft() throws InterruptedException {
    stored.set(1_005);
    Outcome outcome = ClosedLoop.run(number -> new Counting(), Load.closed(Work.RECV, 4, 10), LONG);
    assertEquals(1_005, outcome.messages());
    assertTrue(outcome.seconds() < LONG.toSeconds());
  }

  @Test
  void aStallDelaysEveryMessageThatWasDue() throws InterruptedException {
    Load load = new Load(Work.RATE, 1, 1, 1_000);
    AtomicInteger sent = new AtomicInteger();
    Outcome outcome =
        FixedRate.run(
            number ->
                new Sender() {
                  @Override
                  public void send(int messages) {
                    if (sent.incrementAndGet() == 1) {
                      LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
                    }
                  }

                  @Override
                  public void close() {}
                },
            load,
            Duration.ofSeconds(1));
    assertEquals(1_000, outcome.messages());
    assertEquals(1_000, sent.get());
    // A closed loop would have seen one slow call of a thousand.
    assertTrue(outcome.p95Millis() > 150, () -> "p95 " + outcome.p95Millis());
  }

  @Test
  void aFailureEndsTheLoad() {
    Sender.Factory<QueueClient> failing =
        number -> {
          throw new IOException("refused");
        };
    assertThrows(
        IllegalStateException.class,
        () -> ClosedLoop.run(failing, Load.closed(Work.SEND, 1, 1), LONG));
  }
}
