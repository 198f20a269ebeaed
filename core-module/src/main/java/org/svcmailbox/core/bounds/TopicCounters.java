package org.svcmailbox.core.bounds;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.time.Ticker;

/** The load of one topic. Any thread. */
public final class TopicCounters {
  private final @Nullable OtherTopics others;
  private final DeadLetterCounts deadLetterCounts = new DeadLetterCounts();
  private final FlowCounts flow = new FlowCounts();
  private final FlowRates rates;
  private final CapacityLimit messages;
  private final CapacityLimit bytes;
  private final CapacityLimit inflight;
  private final AtomicBoolean deadLettersChanged = new AtomicBoolean(true);
  private volatile long deadLetters;

  /**
   * @param others counts what all topics do that metrics do not name; null if they name this one
   */
  public TopicCounters(@Nullable OtherTopics others, Ticker ticker) {
    this.others = others;
    this.rates = new FlowRates(flow, ticker.nanos());
    this.messages =
        new CapacityLimit("retention_ready_count", "the topic holds too many messages", 0, ticker);
    this.bytes =
        new CapacityLimit(
            "retention_ready_bytes", "the topic's messages take too many bytes", 0, ticker);
    this.inflight =
        new CapacityLimit(
            "retention_inflight_count", "too many messages of the topic are in flight", 0, ticker);
  }

  public boolean isNamed() {
    return others == null;
  }

  /** Its own letters, whether metrics name it or not. */
  public DeadLetterCounts deadLetterCounts() {
    return deadLetterCounts;
  }

  /** Its own messages, whether metrics name it or not. */
  public FlowCounts flow() {
    return flow;
  }

  /** How fast its own messages pass. */
  public FlowRates rates() {
    return rates;
  }

  /** Adds what one transaction of a worker has put on disk. */
  public void committed(long sent, long acked) {
    flow.committed(sent, acked);
    if (others != null) {
      others.flow().committed(sent, acked);
    }
  }

  /**
   * Adds the messages of one call.
   *
   * @param again those in a later attempt
   */
  public void delivered(long count, long again) {
    flow.delivered(count, again);
    if (others != null) {
      others.flow().delivered(count, again);
    }
  }

  /** Ready, delayed or leased messages. */
  public CapacityLimit messages() {
    return messages;
  }

  public CapacityLimit bytes() {
    return bytes;
  }

  /** 1 when the topic accepts no more messages or bytes. */
  public double fullness(TopicRetention retention) {
    return Math.max(
        (double) messages.count() / retention.readyCount(),
        (double) bytes.count() / retention.mostReadyBytes());
  }

  public CapacityLimit inflight() {
    return inflight;
  }

  public void died(DeadLetterReason reason, int count) {
    deadLetterCounts.add(reason, count);
    if (others != null) {
      others.deadLetters().add(reason, count);
    }
    deadLettersChanged();
  }

  /** Requests a new count of dead letters. */
  public void deadLettersChanged() {
    deadLettersChanged.set(true);
  }

  /** Whether a new count was requested; clears the request. */
  public boolean takeDeadLettersChanged() {
    return deadLettersChanged.getAndSet(false);
  }

  /** The number of dead letters, as last counted. */
  public long deadLetters() {
    return deadLetters;
  }

  public void deadLetters(long seen) {
    deadLetters = seen;
  }
}
