package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.svcmailbox.core.broker.BrokerContract;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/**
 * Random switching between watches, certain and uncertain fetches while messages stream in: none is
 * lost, doubled or overtaken, whichever mode it came through.
 */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EachWay
final class ArtemisOrderTest {
  private static final long SEED = 7_919;
  private static final int LARGE = 700 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Way way;
  private ArtemisFixture fixture;

  ArtemisOrderTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard(), way);
    fixture.broker().createQueues(BrokerContract.ORDERS);
  }

  @Test
  void smallMessagesKeepTheirOrder() {
    streamThrough(5_000, 0);
  }

  @Test
  void streamedMessagesAmongSmallOnesKeepTheirOrder() {
    streamThrough(300, 4);
  }

  /** Sends to two shards from one thread and receives both from another. */
  private void streamThrough(int count, int largeOneIn) {
    CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(count, largeOneIn));
    try (BrokerSession session = SampleLog.open(fixture.broker(), 0)) {
      Receiver receiver = new Receiver(session, count);
      receiver.run();
      sending.join();
      for (ShardId shard : BrokerContract.ORDERS.shards()) {
        assertEquals(List.of(), session.fetch(shard, 1, true).deliveries());
      }
    }
    for (ShardId shard : BrokerContract.ORDERS.shards()) {
      assertEquals(0, fixture.broker().counts(shard).messages());
    }
  }

  private void send(int count, int largeOneIn) {
    Random random = new Random(SEED);
    try (BrokerSession session = SampleLog.open(fixture.broker(), 1)) {
      for (int seq = 1; seq <= count; seq++) {
        for (ShardId shard : BrokerContract.ORDERS.shards()) {
          boolean large = largeOneIn > 0 && random.nextInt(largeOneIn) == 0;
          session.enqueue(shard, message(shard, seq, large ? LARGE : random.nextInt(200)), null);
        }
        if (random.nextInt(20) == 0 || seq == count) {
          session.commit();
          LockSupport.parkNanos(random.nextInt(2_000_000));
        }
      }
    }
  }

  private static StoredMessage message(ShardId shard, int seq, int size) {
    byte[] bytes = new byte[size];
    new Random(seq).nextBytes(bytes);
    return SampleMessages.message(shard, seq, Instant.now(), bytes, Attributes.NONE, null);
  }

  /** Takes what comes as a worker might, in any mode, and checks each message. */
  private static final class Receiver {
    private final BrokerSession session;
    private final int count;
    private final Random random = new Random(SEED + 1);
    private final int[] last = new int[2];
    private final Semaphore arrivals = new Semaphore(0);
    private final List<Delivery> unacknowledged = new ArrayList<>();
    private int watches;

    Receiver(BrokerSession session, int count) {
      this.session = session;
      this.count = count;
    }

    void run() {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!Arrays.stream(last).allMatch(seq -> seq == count)) {
        assertTrue(
            System.nanoTime() < deadline,
            () -> "seed " + SEED + " stuck at " + Arrays.toString(last));
        step();
      }
      settle();
      assertTrue(watches > 10, "the watch was hardly used: " + watches);
    }

    private void step() {
      ShardId shard = BrokerContract.ORDERS.shard(random.nextInt(2));
      switch (random.nextInt(5)) {
        case 0 -> watchAndWait();
        case 1 -> session.watch(shard, arrivals::release);
        case 2 -> fetch(shard, true);
        case 3 -> {
          settle();
          if (random.nextInt(10) == 0) {
            session.release(shard);
          }
        }
        default -> fetch(shard, false);
      }
    }

    private void watchAndWait() {
      watches++;
      arrivals.drainPermits();
      BrokerContract.ORDERS.shards().stream()
          .filter(shard -> last[shard.index()] < count)
          .forEach(shard -> session.watch(shard, arrivals::release));
      assertTrue(acquired(), () -> "seed " + SEED + ": no watch fired at " + Arrays.toString(last));
    }

    private boolean acquired() {
      try {
        return arrivals.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private void fetch(ShardId shard, boolean certain) {
      for (Delivery delivery : session.fetch(shard, 1 + random.nextInt(30), certain).deliveries()) {
        StoredMessage message = delivery.message();
        int expected = last[shard.index()] + 1;
        assertEquals(expected, message.envelope().seq(), "seed " + SEED + " in " + shard);
        Payload payload = message.payload();
        assertTrue(message.envelope().isIntact(payload), "seed " + SEED + " payload damaged");
        last[shard.index()] = expected;
        unacknowledged.add(delivery);
      }
    }

    private void settle() {
      unacknowledged.forEach(session::acknowledge);
      unacknowledged.clear();
      session.commit();
    }
  }
}
