package org.svcmailbox.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SendWindowTest {
  private static final int UNDER_WAY = 5;

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @Test
  void noMoreAreUnderWayAndAllAreAwaited() throws Exception {
    SendWindow window =
        new SendWindow(
            UNDER_WAY,
            () -> {
              sent.incrementAndGet();
              most.accumulateAndGet(open.incrementAndGet(), Math::max);
              return CompletableFuture.runAsync(open::decrementAndGet);
            });

    double perSecond = window.run(Duration.ofMillis(50));

    assertTrue(perSecond > 0 && perSecond <= sent.get() / 0.05, () -> perSecond + " a second");
    assertTrue(most.get() <= UNDER_WAY, () -> most + " were under way");
    assertEquals(0, open.get());
  }

  @Test
  void aSendThatFailsEndsTheRun() {
    SendWindow window =
        new SendWindow(
            UNDER_WAY,
            () -> {
              sent.incrementAndGet();
              return CompletableFuture.failedFuture(new IllegalStateException("refused"));
            });
    assertThrows(IllegalStateException.class, () -> window.run(Duration.ofSeconds(30)));
    assertEquals(1, sent.get());
  }
}
