package org.svcmailbox.core.bounds;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.settings.TopicRetention;
import org.svcmailbox.core.time.Ticker;

/** The load of one topic. Any thread. */
public final class TopicCounters {
  private final @Nullable DeadLetterCounts shared;
  private final DeadLetterCounts deadLetterCounts = new DeadLetterCounts();
  private final CapacityLimit messages;
  private final CapacityLimit bytes;
  private final CapacityLimit inflight;
  private final AtomicBoolean deadLettersChanged = new AtomicBoolean(true);
  private volatile long deadLetters;

  /**
   * @param shared counts the letters of all topics that metrics do not name; null if they name this
   *     one
   */
  public TopicCounters(@Nullable DeadLetterCounts shared, Ticker ticker) {
    this.shared = shared;
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
    return shared == null;
  }

  /** Its own letters, whether metrics name it or not. */
  public DeadLetterCounts deadLetterCounts() {
    return deadLetterCounts;
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
    if (shared != null) {
      shared.add(reason, count);
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
