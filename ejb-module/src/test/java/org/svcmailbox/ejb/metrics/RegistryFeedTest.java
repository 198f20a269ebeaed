package org.svcmailbox.ejb.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

class RegistryFeedTest {
  private static final String SCHEMA = "rejected_total{reason=schema}";
  private static final String WAITING = "bound_used{bound=max_waiting}";

  private final FakeRegistry registry = new FakeRegistry();
  private final RegistryFeed feed = new RegistryFeed(registry.registry());
  private final AtomicLong count = new AtomicLong();
  private final Metric rejected = Family.REJECTED_TOTAL.of(count::get, "schema");

  @Test
  void aDifferenceIsPassedOnOnce() {
    count.set(3);
    feed.refresh(List.of(rejected));
    feed.refresh(List.of(rejected));
    assertEquals(Map.of(SCHEMA, 3.0), registry.told());
    assertEquals(1, registry.increments.get());
    count.set(5);
    feed.refresh(List.of(rejected));
    assertEquals(Map.of(SCHEMA, 5.0), registry.told());
    assertEquals(2, registry.increments.get());
  }

  @Test
  void aCounterThatNeverCountedIsToldAsZero() {
    feed.refresh(List.of(rejected));
    assertEquals(Map.of(SCHEMA, 0.0), registry.told());
    assertEquals(0, registry.increments.get());
  }

  @Test
  void aGaugeIsReadWhenItIsAskedAndFollowsWhoeverTellsItLast() {
    AtomicLong used = new AtomicLong(1);
    feed.refresh(List.of(Family.BOUND_USED.of(used::get, "max_waiting")));
    used.set(7);
    assertEquals(Map.of(WAITING, 7.0), registry.told());
    feed.refresh(List.of(Family.BOUND_USED.ofDouble(() -> 0.5, "max_waiting")));
    assertEquals(Map.of(WAITING, 0.5), registry.told());
  }

  @Test
  void whatIsGoneIsRemovedAndWhatComesBackBeginsAnew() {
    count.set(4);
    feed.refresh(List.of(rejected, Family.REJECTED_TOTAL.of(() -> 1, "missing")));
    feed.refresh(List.of(Family.REJECTED_TOTAL.of(() -> 1, "missing")));
    assertEquals(Map.of("rejected_total{reason=missing}", 1.0), registry.told());
    feed.refresh(List.of(rejected));
    assertEquals(Map.of(SCHEMA, 4.0), registry.told());
  }

  @Test
  void whoeverCountsAnewIsAddedToWhatThereWas() {
    count.set(4);
    feed.refresh(List.of(rejected));
    count.set(1);
    feed.refresh(List.of(rejected));
    assertEquals(Map.of(SCHEMA, 5.0), registry.told());
  }

  @Test
  void twoThatTellTheSameCountTogether() {
    count.set(4);
    feed.refresh(List.of(rejected, Family.REJECTED_TOTAL.of(() -> 2, "schema")));
    assertEquals(Map.of(SCHEMA, 6.0), registry.told());
  }

  @Test
  void anApplicationThatIsDeployedAgainStartsAnewWhetherOrNotTheLastOneCleanedUp() {
    count.set(4);
    feed.refresh(List.of(rejected, Family.RATE_BUCKETS.of(() -> 1)));
    RegistryFeed next = new RegistryFeed(registry.registry());
    assertEquals(Map.of(), registry.told());
    next.refresh(List.of(Family.REJECTED_TOTAL.of(() -> 1, "schema")));
    assertEquals(Map.of(SCHEMA, 1.0), registry.told());
    next.close();
    assertEquals(Map.of(), registry.told());
  }

  @Test
  void aScrapeAndTheTimerAtOncePassEveryDifferenceOnOnce() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 4; i++) {
      threads.execute(
          () -> {
            for (int turn = 0; turn < 2_000; turn++) {
              count.incrementAndGet();
              feed.refresh(List.of(rejected));
            }
          });
    }
    threads.shutdown();
    assertEquals(true, threads.awaitTermination(30, TimeUnit.SECONDS));
    assertEquals(Map.of(SCHEMA, 8_000.0), registry.told());
  }
}
