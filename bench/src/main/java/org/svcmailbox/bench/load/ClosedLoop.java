package org.svcmailbox.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A closed loop: each client starts the next request when the last one is answered. */
public final class ClosedLoop {
  private ClosedLoop() {}

  private record Share(long messages, long lastNanos, List<Long> nanos) {}

  /** Sends at least this many messages as fast as the clients can. */
  public static void fill(
      Sender.Factory<? extends Sender> factory, int clients, int batch, int messages)
      throws InterruptedException {
    AtomicLong left = new AtomicLong(messages);
    SenderGroup.run(
        clients,
        factory::open,
        () -> {},
        sender -> {
          while (left.getAndAdd(-batch) > 0) {
            sender.send(batch);
          }
          return true;
        });
  }

  /** Runs a load in a closed loop, or at its fixed rate. */
  public static Outcome runOrAtRate(
      Sender.Factory<QueueClient> factory, Load load, Duration lasting)
      throws InterruptedException {
    return load.work() == Work.RATE
        ? FixedRate.run(factory, load, lasting)
        : run(factory, load, lasting);
  }

  /** Loads for this time, or until nothing is left to receive. */
  public static Outcome run(Sender.Factory<QueueClient> factory, Load load, Duration lasting)
      throws InterruptedException {
    AtomicLong start = new AtomicLong();
    List<Share> shares =
        SenderGroup.run(
            load.connections(),
            factory,
            () -> start.compareAndSet(0, System.nanoTime()),
            client -> share(client, load, start.get() + lasting.toNanos()));
    long messages = shares.stream().mapToLong(Share::messages).sum();
    long end = shares.stream().mapToLong(one -> one.lastNanos() - start.get()).max().orElseThrow();
    return Outcome.of(
        messages, end / 1e9, shares.stream().flatMap(one -> one.nanos().stream()).toList());
  }

  private static Share share(QueueClient client, Load load, long end) throws Exception {
    List<Long> nanos = new ArrayList<>();
    long messages = 0;
    long before = System.nanoTime();
    while (before - end < 0) {
      int done = once(client, load);
      if (done == 0) {
        break;
      }
      long after = System.nanoTime();
      nanos.add(after - before);
      messages += done;
      before = after;
    }
    return new Share(messages, before, nanos);
  }

  private static int once(QueueClient client, Load load) throws Exception {
    if (load.work() == Work.RECV) {
      return client.receive(load.batch());
    }
    client.send(load.batch());
    return load.batch();
  }
}
