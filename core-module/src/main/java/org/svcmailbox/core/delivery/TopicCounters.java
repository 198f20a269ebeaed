package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.settings.TopicRetention;

/** The load of one topic. Any thread. */
final class TopicCounters {
  private final boolean named;
  private final DeadLetterCounts deadLetterCounts;
  private final CapacityLimit messages;
  private final CapacityLimit bytes;
  private final CapacityLimit inflight;
  private final AtomicBoolean deadLettersChanged = new AtomicBoolean(true);
  private volatile long deadLetters;

  /**
   * @param named whether metrics name the topic
   */
  TopicCounters(boolean named, DeadLetterCounts deadLetterCounts, Ticker ticker) {
    this.named = named;
    this.deadLetterCounts = deadLetterCounts;
    this.messages =
        new CapacityLimit("retention_ready_count", "the topic holds too many messages", 0, ticker);
    this.bytes =
        new CapacityLimit(
            "retention_ready_bytes", "the topic's messages take too many bytes", 0, ticker);
    this.inflight =
        new CapacityLimit(
            "retention_inflight_count", "too many messages of the topic are in flight", 0, ticker);
  }

  boolean isNamed() {
    return named;
  }

  DeadLetterCounts deadLetterCounts() {
    return deadLetterCounts;
  }

  /** Waiting, delayed or leased. */
  CapacityLimit messages() {
    return messages;
  }

  CapacityLimit bytes() {
    return bytes;
  }

  /** 1 when the topic takes no more messages or bytes. */
  double fullness(TopicRetention retention) {
    return Math.max(
        (double) messages.count() / retention.readyCount(),
        (double) bytes.count() / retention.mostReadyBytes());
  }

  CapacityLimit inflight() {
    return inflight;
  }

  void died(DeadLetterReason reason, int count) {
    deadLetterCounts.add(reason, count);
    deadLettersChanged();
  }

  /** Requests a new count of dead letters. */
  void deadLettersChanged() {
    deadLettersChanged.set(true);
  }

  /** Whether a new count was requested; clears the request. */
  boolean takeDeadLettersChanged() {
    return deadLettersChanged.getAndSet(false);
  }

  /** As last counted. */
  long deadLetters() {
    return deadLetters;
  }

  void deadLetters(long seen) {
    deadLetters = seen;
  }
}
