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
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.ejb.codec.BatchLogCodec;
import org.svcmailbox.ejb.codec.BatchLogCodec.DamagedEntryException;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerLink;
import org.svcmailbox.ejb.link.ShardConsumer;

/**
 * The entries of a worker's batch log that its session holds; the broker hands them to nobody else
 * until the session ends. Owned by the worker's thread, except {@link #fail}.
 */
final class HeldEntries {
  private record Damaged(DamagedEntry entry, Received message) {}

  private static final Logger LOG = System.getLogger(HeldEntries.class.getName());

  private final BrokerLink link;
  private final SimpleString queue;
  private final Map<Long, Received> held = new HashMap<>();
  private final List<Damaged> damaged = new ArrayList<>();
  private final ShardConsumer consumer;

  /**
   * Begins to wait for the entries.
   *
   * @param queue an existing queue
   */
  HeldEntries(BrokerLink link, SimpleString queue) throws ActiveMQException {
    this.link = link;
    this.queue = queue;
    this.consumer = link.consumeLast(queue);
  }

  /** Takes the entries that have arrived; waits at most {@code atMost} for the first one. */
  List<BatchLogEntry> receive(Duration atMost) throws ActiveMQException {
    List<BatchLogEntry> arrived = take();
    long end = System.nanoTime() + atMost.toNanos();
    for (long left = atMost.toNanos();
        left > 0 && arrived.isEmpty();
        left = end - System.nanoTime()) {
      await(left);
      arrived = take();
    }
    return arrived;
  }

  private List<BatchLogEntry> take() throws ActiveMQException {
    List<BatchLogEntry> arrived = new ArrayList<>();
    Received next;
    while ((next = consumer.next(false)) != null) {
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
      // It stays in the queue. If it replaces an entry, the log never counts as whole.
      damaged.add(new Damaged(e.entry(), received));
      LOG.log(
          Level.WARNING, "{0} has a message that is not an entry of a log: {1}", queue, e.entry());
    }
  }

  /** Arrived messages that are not intact entries. */
  List<DamagedEntry> damaged() {
    return damaged.stream().map(Damaged::entry).toList();
  }

  /** Stages the acknowledgement of all damaged entries. */
  void acknowledgeDamaged() throws ActiveMQException {
    for (Damaged one : damaged) {
      one.message().acknowledgement().stage();
    }
    damaged.clear();
  }

  private void await(long nanos) throws ActiveMQException {
    CountDownLatch arrived = new CountDownLatch(1);
    consumer.watch(arrived::countDown);
    try {
      boolean unused = arrived.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new ActiveMQInterruptedException(e);
    }
  }

  /** Stages a change: acknowledges the entries that end, and sends the new ones. */
  void stage(BatchLog.Change change, Instant now) throws ActiveMQException {
    for (BatchLogEntry ended : change.ended()) {
      acknowledge(ended);
    }
    for (BatchLogEntry added : change.added()) {
      link.send(queue, BatchLogCodec.encode(added, now));
    }
  }

  private void acknowledge(BatchLogEntry entry) throws ActiveMQException {
    Received one = held.remove(entry.number());
    if (one == null) {
      throw new IllegalStateException("not held: " + entry);
    }
    one.acknowledgement().stage();
  }

  /** Gives all entries back, and receives no more. */
  void close() throws ActiveMQException {
    consumer.close();
  }

  /** Ends a wait because the session is lost. Any thread. */
  void fail() {
    consumer.fail();
  }
}
