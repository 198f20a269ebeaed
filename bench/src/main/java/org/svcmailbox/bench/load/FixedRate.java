package org.svcmailbox.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An open loop: any free sender sends the next message once it is due. */
public final class FixedRate {
  private FixedRate() {}

  /** Sends at the rate of the load; latencies count from the due times of a {@link Schedule}. */
  public static Outcome run(Sender.Factory<? extends Sender> factory, Load load, Duration lasting)
      throws InterruptedException {
    int messages = Schedule.from(0, load.perSecond()).messages(lasting);
    AtomicInteger next = new AtomicInteger();
    AtomicLong start = new AtomicLong();
    List<List<Long>> nanos =
        SenderGroup.run(
            load.connections(),
            factory::open,
            () -> start.compareAndSet(0, System.nanoTime()),
            sender -> {
              Schedule schedule = Schedule.from(start.get(), load.perSecond());
              List<Long> taken = new ArrayList<>();
              int number;
              while ((number = next.getAndIncrement()) < messages) {
                schedule.await(number);
                sender.send(1);
                taken.add(System.nanoTime() - schedule.due(number));
              }
              return taken;
            });
    double seconds = (System.nanoTime() - start.get()) / 1e9;
    return Outcome.of(messages, seconds, nanos.stream().flatMap(List::stream).toList());
  }
}
