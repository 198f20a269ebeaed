package org.svcmailbox.ejb.shutdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.service.Departure;
import org.svcmailbox.core.service.Drain;

class DrainsTest {
  private final Drains drains = new Drains();
  private final AtomicInteger stopped = new AtomicInteger();
  private final AtomicInteger drained = new AtomicInteger();

  private Drain counted() {
    return new Drain(stopped::incrementAndGet, drained::incrementAndGet);
  }

  @Test
  void everyIntakeIsStoppedAndEverythingIsDrained() {
    drains.add(counted());
    drains.add(counted());
    drains.begin();
    assertEquals(List.of(2, 0), List.of(stopped.get(), drained.get()));
    drains.run();
    assertEquals(2, drained.get());
  }

  @Test
  void noPartStopsBeforeTheNodeHasLeftItsCluster() {
    List<String> steps = new ArrayList<>();
    drains.add(counted());
    drains.leaveFirst(
        new Departure(
            () -> steps.add("begun, stopped " + stopped),
            () -> steps.add("left, stopped " + stopped + ", drained " + drained)));
    drains.begin();
    assertEquals(0, stopped.get());
    drains.run();
    assertEquals(List.of("begun, stopped 0", "left, stopped 0, drained 0"), steps);
    assertEquals(List.of(1, 1), List.of(stopped.get(), drained.get()));
  }

  @Test
  void aDepartureThatFailsKeepsNoPartFromBeingDrained() {
    drains.add(counted());
    drains.leaveFirst(
        new Departure(
            () -> {},
            () -> {
              throw new IllegalStateException("planted");
            }));
    assertThrows(IllegalStateException.class, drains::run);
    assertEquals(1, drained.get());
  }

  @Test
  void whatEndsByItselfIsNotDrained() {
    Drain gone = counted();
    drains.add(gone);
    drains.remove(gone);
    drains.begin();
    drains.run();
    assertEquals(List.of(0, 0), List.of(stopped.get(), drained.get()));
  }

  @Test
  void noDrainWaitsForAnother() {
    CountDownLatch together = new CountDownLatch(2);
    AtomicInteger met = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      drains.add(new Drain(() -> {}, () -> met.addAndGet(meet(together) ? 1 : 0)));
    }
    drains.run();
    assertEquals(2, met.get());
  }

  private static boolean meet(CountDownLatch together) {
    together.countDown();
    try {
      return together.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void oneThatFailsKeepsNoOtherFromBeingDrained() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    AtomicInteger failures = new AtomicInteger();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> failures.incrementAndGet());
    try {
      drains.add(
          new Drain(
              () -> {},
              () -> {
                throw new IllegalStateException("planted");
              }));
      drains.add(counted());
      drains.run();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertEquals(1, drained.get());
    assertTrue(failures.get() > 0);
  }
}
