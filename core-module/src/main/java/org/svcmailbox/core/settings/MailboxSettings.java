package org.svcmailbox.core.settings;

import java.time.Duration;

/**
 * Every setting of the service, checked and immutable. {@link SettingsLoader} is the way to get
 * one.
 *
 * @param workers shard workers, each with a thread and a broker session
 * @param globalInflight the most messages under a lease at once
 * @param dedupCapacity the most idempotency keys kept at once
 * @param maxFrame the most payload bytes of one message, or of one batch together
 * @param retentionLedger how long an entry of a ledger is kept
 * @param drainDeadline how long shutdown waits for what was begun
 * @param visibility the bounds of a lease
 * @param topics how topics come to be
 * @param defaults what holds for a topic that says nothing else
 */
public record MailboxSettings(
    int workers,
    int globalInflight,
    int dedupCapacity,
    int maxFrame,
    int maxWaiting,
    Duration retentionLedger,
    Duration drainDeadline,
    Visibility visibility,
    Topics topics,
    TopicSettings defaults) {

  /**
   * The bounds of a lease.
   *
   * @param min the shortest
   * @param max the longest
   */
  public record Visibility(Duration min, Duration max) {}

  /**
   * How topics come to be.
   *
   * @param autoCreate whether a SEND or RECV makes the topic it names
   * @param max the most topics
   */
  public record Topics(boolean autoCreate, int max) {}
}
