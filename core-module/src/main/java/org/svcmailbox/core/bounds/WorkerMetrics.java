package org.svcmailbox.core.bounds;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Summary;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.time.Ticker;

/** Counters and latencies of all workers. Any thread. */
public final class WorkerMetrics implements MetricSource {
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
  private final LongAdder leasesTaken = new LongAdder();
  private final LongAdder leasesReturned = new LongAdder();
  private final LongAdder sessionsAsked = new LongAdder();
  private final Ticker ticker;

  WorkerMetrics(Ticker ticker) {
    this.ticker = ticker;
  }

  long now() {
    return ticker.nanos();
  }

  /** Counts a SEND that is on disk. */
  public void enqueued(long since) {
    enqueue.record(now() - since);
  }

  public void dequeued(long since) {
    dequeue.record(now() - since);
  }

  /** Counts an ACK that is on disk. */
  public void acknowledged(long since) {
    ack.record(now() - since);
  }

  public void expired(long nanosLate) {
    expiryLateness.record(Duration.ofNanos(nanosLate).toMillis());
  }

  public Tasks workers() {
    return workers;
  }

  public Tasks waits() {
    return waits;
  }

  /** Counts a RECV that has waited without getting a message. */
  public void waitedInVain() {
    emptyWaits.increment();
  }

  public void sessionRetried() {
    sessionRetries.increment();
  }

  public void backedOff() {
    nackBackoffs.increment();
  }

  public void returnsAfter(Duration delay) {
    if (!delay.isZero()) {
      delayedReturns.increment();
    }
  }

  /** SENDs refused by full shards; the count outlives the shards. */
  LongAdder shardRefusals() {
    return shardRefusals;
  }

  /** Counts a late ACK that was refused for lack of room. */
  public void lateAckDropped() {
    lateAcksDropped.increment();
  }

  public void scheduledCanceled() {
    scheduledCanceled.increment();
  }

  /**
   * Counts the leases of an earlier process that a worker took over, and those that it did not
   * find.
   */
  public void takenOver(int taken, int returned) {
    leasesTaken.add(taken);
    leasesReturned.add(returned);
  }

  /** Counts a question to the broker whether it still has the worker's session. */
  public void sessionAsked() {
    sessionsAsked.increment();
  }

  /** Counts altered and unreadable dead letters. */
  public void quarantined(DeadLetterReason reason, int count) {
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
            Family.HANDOVER_LEASES_TOTAL.of(leasesTaken::sum, "taken"),
            Family.HANDOVER_LEASES_TOTAL.of(leasesReturned::sum, "returned"),
            Family.SESSION_QUESTIONS_TOTAL.of(sessionsAsked::sum),
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
