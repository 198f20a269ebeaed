package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Summary;
import org.svcmailbox.core.metrics.Tasks;

/** What all workers of a process did, and how long it took them. Any thread. */
final class WorkerMetrics implements MetricSource {
  private final Histogram enqueue = new Histogram(Family.ENQUEUE_LATENCY_SECONDS);
  private final Histogram dequeue = new Histogram(Family.DEQUEUE_LATENCY_SECONDS);
  private final Histogram ack = new Histogram(Family.ACK_LATENCY_SECONDS);
  private final Summary expiryLateness = new Summary(Family.SCANNER_WAKE_JITTER_MS);
  private final Tasks workers = new Tasks("worker");
  private final Tasks waits = new Tasks("long_poll");
  private final LongAdder emptyWaits = new LongAdder();
  private final LongAdder sessionRetries = new LongAdder();
  private final LongAdder nackBackoffs = new LongAdder();
  private final LongAdder delayedReturns = new LongAdder();
  private final LongAdder notIntact = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final LongAdder shardRefusals = new LongAdder();
  private final LongAdder lateAcksDropped = new LongAdder();
  private final LongAdder scheduledCanceled = new LongAdder();
  private final Ticker ticker;

  WorkerMetrics(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Since when something takes that begins now. */
  long now() {
    return ticker.nanos();
  }

  /** A message is on disk. */
  void enqueued(long since) {
    enqueue.record(now() - since);
  }

  /** Messages are handed out. */
  void dequeued(long since) {
    dequeue.record(now() - since);
  }

  /** An ACK is on disk. */
  void acknowledged(long since) {
    ack.record(now() - since);
  }

  /** A lease that ran out is ended so much later. */
  void expired(long nanosLate) {
    expiryLateness.record(Duration.ofNanos(nanosLate).toMillis());
  }

  /** The workers' threads. */
  Tasks workers() {
    return workers;
  }

  /** The RECV calls that wait. */
  Tasks waits() {
    return waits;
  }

  /** A RECV has waited for nothing. */
  void waitedInVain() {
    emptyWaits.increment();
  }

  /** A worker will try again to open its broker session. */
  void sessionRetried() {
    sessionRetries.increment();
  }

  /** A message that was given back comes again after the backoff. */
  void backedOff() {
    nackBackoffs.increment();
  }

  /** A message was put back with a delay. */
  void returnsAfter(Duration delay) {
    if (!delay.isZero()) {
      delayedReturns.increment();
    }
  }

  /** Where every shard counts the SENDs it had no room for; shards go, and their counts stay. */
  LongAdder shardRefusals() {
    return shardRefusals;
  }

  /** There was no room for an ACK that has to wait for its message. */
  void lateAckDropped() {
    lateAcksDropped.increment();
  }

  /** An operator removed a message whose time had not come. */
  void scheduledCanceled() {
    scheduledCanceled.increment();
  }

  /** Messages became dead letters; counts altered and unreadable ones. */
  void quarantined(DeadLetterReason reason, int count) {
    if (reason == DeadLetterReason.INTEGRITY) {
      notIntact.add(count);
    } else if (reason == DeadLetterReason.UNREADABLE) {
      unreadable.add(count);
    }
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> own =
        List.of(
            Family.IO_TIMEOUTS_TOTAL.of(emptyWaits::sum, "recv"),
            Family.BACKOFF_RETRIES_TOTAL.of(sessionRetries::sum, "broker_session"),
            Family.BACKOFF_RETRIES_TOTAL.of(nackBackoffs::sum, "nack"),
            Family.QUEUE_DROPPED_TOTAL.of(shardRefusals::sum, "shard_capacity"),
            Family.QUEUE_DROPPED_TOTAL.of(lateAcksDropped::sum, "late_acks"),
            Family.SCHEDULED_CANCELED_TOTAL.of(scheduledCanceled::sum),
            Family.REQUEUE_BACKOFF_TOTAL.of(delayedReturns::sum),
            Family.INTEGRITY_FAIL_TOTAL.of(notIntact::sum, "hash"),
            Family.INTEGRITY_FAIL_TOTAL.of(unreadable::sum, "unreadable"));
    return Stream.of(own, workers.metrics(), waits.metrics()).flatMap(List::stream).toList();
  }

  @Override
  public List<Distribution> distributions() {
    return List.of(enqueue, dequeue, ack, expiryLateness);
  }
}
