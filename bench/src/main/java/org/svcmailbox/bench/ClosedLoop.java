package org.svcmailbox.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that do the next thing when the last one is done. */
final class ClosedLoop {
  private ClosedLoop() {}

  private record Share(long messages, long lastNanos, List<Long> nanos) {}

  /** Sends so many messages as fast as some clients can. */
  static void fill(Sender.Factory<? extends Sender> factory, int clients, int batch, int messages)
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

  /** Loads for so long, or until nothing is left to receive. */
  static Outcome run(Sender.Factory<Client> factory, Load load, Duration lasting)
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

  private static Share share(Client client, Load load, long end) throws Exception {
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

  private static int once(Client client, Load load) throws Exception {
    if (load.work() == Work.RECV) {
      return client.receive(load.batch());
    }
    client.send(load.batch());
    return load.batch();
  }
}
