package org.svcmailbox.core.delivery;

import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.settings.TopicRetention;

/** How busy one topic is, readable from any thread. */
final class TopicCounters {
  private final boolean named;
  private final DeadLetterCounts deadLetterCounts;
  private final CapacityLimit messages;
  private final CapacityLimit bytes;
  private final CapacityLimit inflight;
  private final AtomicBoolean deadLettersChanged = new AtomicBoolean(true);
  private volatile long deadLetters;

  /**
   * @param named whether metrics tell it by its name
   * @param deadLetterCounts where its dead letters are counted
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

  /** Since the process began. */
  DeadLetterCounts deadLetterCounts() {
    return deadLetterCounts;
  }

  /** In its shards: waiting, delayed or under a lease. */
  CapacityLimit messages() {
    return messages;
  }

  /** The bytes that these take in the broker. */
  CapacityLimit bytes() {
    return bytes;
  }

  /** How full the topic is, by messages or by bytes; 1 when it takes no more. */
  double fullness(TopicRetention retention) {
    return Math.max(
        (double) messages.count() / retention.readyCount(),
        (double) bytes.count() / retention.mostReadyBytes());
  }

  /** Under a lease. */
  CapacityLimit inflight() {
    return inflight;
  }

  /** Messages became dead letters. */
  void died(DeadLetterReason reason, int count) {
    deadLetterCounts.add(reason, count);
    deadLettersChanged();
  }

  /** The number of dead letters is another than was last seen. */
  void deadLettersChanged() {
    deadLettersChanged.set(true);
  }

  /** Whether it was since this was last asked. */
  boolean takeDeadLettersChanged() {
    return deadLettersChanged.getAndSet(false);
  }

  /** Dead letters, as last seen. */
  long deadLetters() {
    return deadLetters;
  }

  void deadLetters(long seen) {
    deadLetters = seen;
  }
}
