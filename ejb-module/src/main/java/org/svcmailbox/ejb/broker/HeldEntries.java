package org.svcmailbox.ejb.broker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.ejb.codec.BatchLogCodec;
import org.svcmailbox.ejb.codec.BatchLogCodec.DamagedEntryException;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerLink;
import org.svcmailbox.ejb.link.ShardConsumer;

/**
 * The entries of a worker's batch log that its session holds. The broker hands them to nobody else
 * until the session has ended. Owned by the worker's thread, but for {@link #fail}.
 */
final class HeldEntries {
  private record Damaged(DamagedEntry entry, Received message) {}

  private static final Logger LOG = System.getLogger(HeldEntries.class.getName());

  private final BrokerLink link;
  private final SimpleString queue;
  private final Map<Long, Received> held = new HashMap<>();
  private final List<Damaged> damaged = new ArrayList<>();
  private volatile @Nullable ShardConsumer consumer;

  /**
   * @param queue exists
   */
  HeldEntries(BrokerLink link, SimpleString queue) {
    this.link = link;
    this.queue = queue;
  }

  /** Entries that have arrived since; waits for the first at most so long. */
  List<BatchLogEntry> receive(Duration atMost) throws ActiveMQException {
    ShardConsumer from = consumer();
    List<BatchLogEntry> arrived = take(from);
    long end = System.nanoTime() + atMost.toNanos();
    for (long left = atMost.toNanos();
        left > 0 && arrived.isEmpty();
        left = end - System.nanoTime()) {
      await(from, left);
      arrived = take(from);
    }
    return arrived;
  }

  private List<BatchLogEntry> take(ShardConsumer from) throws ActiveMQException {
    List<BatchLogEntry> arrived = new ArrayList<>();
    Received next;
    while ((next = from.next(false)) != null) {
      add(next, arrived);
    }
    return arrived;
  }

  private void add(Received received, List<BatchLogEntry> arrived) {
    try {
      BatchLogEntry entry = BatchLogCodec.decode(received.body());
      held.put(entry.number(), received);
      arrived.add(entry);
    } catch (DamagedEntryException e) {
      // It stays where it is. If it stands for an entry, the log is never whole.
      damaged.add(new Damaged(e.entry(), received));
      LOG.log(
          Level.WARNING, "{0} has a message that is not an entry of a log: {1}", queue, e.entry());
    }
  }

  /** Messages that have arrived and are no intact entries. */
  List<DamagedEntry> damaged() {
    return damaged.stream().map(Damaged::entry).toList();
  }

  /** Stages the end of all that is damaged. */
  void acknowledgeDamaged() throws ActiveMQException {
    for (Damaged one : damaged) {
      one.message().acknowledgement().stage();
    }
    damaged.clear();
  }

  private ShardConsumer consumer() throws ActiveMQException {
    ShardConsumer present = consumer;
    if (present == null) {
      present = link.consume(queue);
      consumer = present;
    }
    return present;
  }

  private static void await(ShardConsumer from, long nanos) throws ActiveMQException {
    CountDownLatch arrived = new CountDownLatch(1);
    from.watch(arrived::countDown);
    try {
      boolean unused = arrived.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new ActiveMQInterruptedException(e);
    }
  }

  /** Stages the end of an entry. */
  void acknowledge(BatchLogEntry entry) throws ActiveMQException {
    Received one = held.remove(entry.number());
    if (one == null) {
      throw new IllegalStateException("not held: " + entry);
    }
    one.acknowledgement().stage();
  }

  /** Stages an entry. */
  void append(BatchLogEntry entry, Instant now) throws ActiveMQException {
    link.send(queue, BatchLogCodec.encode(entry, now));
  }

  /** Ends a wait: the session is lost. Any thread. */
  void fail() {
    ShardConsumer present = consumer;
    if (present != null) {
      present.fail();
    }
  }
}
