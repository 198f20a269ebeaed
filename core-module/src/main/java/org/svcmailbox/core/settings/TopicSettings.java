package org.svcmailbox.core.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force for one topic: its own where it has any, the service's otherwise.
 *
 * @param readyShards how many shards take messages, 1 to 256
 * @param shardCapacity the most commands waiting for one shard's worker
 * @param tReplay how long a key stays taken after its SEND
 * @param maxAttempts deliveries before a message is quarantined, at least 1
 * @param defaultVisibility how long a lease lasts when RECV does not say
 * @param backoffBase the base of the full-jitter backoff after a NACK
 * @param backoffMax its ceiling
 * @param retention how long and how many messages are kept
 * @param redrive when dead letters come back by themselves, null for never
 */
public record TopicSettings(
    int readyShards,
    int shardCapacity,
    Duration tReplay,
    int maxAttempts,
    Duration defaultVisibility,
    Duration backoffBase,
    Duration backoffMax,
    TopicRetention retention,
    @Nullable RedrivePolicy redrive) {

  /** The most shards a topic can have. */
  public static final int MAX_SHARDS = 256;

  /** Of a topic whose dead letters wait for an operator. */
  public TopicSettings(
      int readyShards,
      int shardCapacity,
      Duration tReplay,
      int maxAttempts,
      Duration defaultVisibility,
      Duration backoffBase,
      Duration backoffMax,
      TopicRetention retention) {
    this(
        readyShards,
        shardCapacity,
        tReplay,
        maxAttempts,
        defaultVisibility,
        backoffBase,
        backoffMax,
        retention,
        null);
  }
}
