package org.svcmailbox.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages that are sent when their time has come, by whichever sender is free. Times are those
 * since a message was to be sent: a server that stands still for a while is seen to have kept all
 * of them waiting.
 */
final class FixedRate {
  private FixedRate() {}

  static Outcome run(Sender.Factory<? extends Sender> factory, Load load, Duration lasting)
      throws InterruptedException {
    long interval = Duration.ofSeconds(1).toNanos() / load.perSecond();
    int messages = Math.toIntExact(lasting.toNanos() / interval);
    AtomicInteger next = new AtomicInteger();
    AtomicLong start = new AtomicLong();
    List<List<Long>> nanos =
        SenderGroup.run(
            load.connections(),
            factory::open,
            () -> start.compareAndSet(0, System.nanoTime()),
            sender -> {
              List<Long> taken = new ArrayList<>();
              int number;
              while ((number = next.getAndIncrement()) < messages) {
                long due = start.get() + number * interval;
                await(due);
                sender.send(1);
                taken.add(System.nanoTime() - due);
              }
              return taken;
            });
    double seconds = (System.nanoTime() - start.get()) / 1e9;
    return Outcome.of(messages, seconds, nanos.stream().flatMap(List::stream).toList());
  }

  private static void await(long moment) {
    long left;
    while ((left = moment - System.nanoTime()) > 0) {
      LockSupport.parkNanos(left);
    }
  }
}
