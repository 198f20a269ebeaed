package org.svcmailbox.core.settings;

import java.time.Duration;

/**
 * The settings in force for one topic: its own where it has any, the service's otherwise.
 *
 * @param readyShards how many shards, 1 to 256; fixed at creation
 * @param shardCapacity the most commands waiting for one shard's worker
 * @param tReplay how long a key stays taken after its SEND (I-13)
 * @param maxAttempts deliveries before a message is quarantined, at least 1
 * @param defaultVisibility how long a lease lasts when RECV does not say
 * @param backoffBase the base of the full-jitter backoff after a NACK
 * @param backoffMax its ceiling
 * @param retentionReady how long a message may wait before it is a dead letter
 * @param retentionDlq how long a dead letter is kept
 */
public record TopicSettings(
    int readyShards,
    int shardCapacity,
    Duration tReplay,
    int maxAttempts,
    Duration defaultVisibility,
    Duration backoffBase,
    Duration backoffMax,
    Duration retentionReady,
    Duration retentionDlq) {

  /** The most shards a topic can have. */
  public static final int MAX_SHARDS = 256;
}
