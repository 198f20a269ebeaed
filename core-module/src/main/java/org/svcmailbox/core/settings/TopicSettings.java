package org.svcmailbox.core.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings in force for one topic.
 *
 * @param readyShards shards that take messages
 * @param shardCapacity commands waiting for one shard's worker
 * @param tReplay how long an idempotency key stays reserved
 * @param maxAttempts deliveries before quarantine, at least 1
 * @param backoffBase of the full-jitter backoff after a NACK
 * @param alertReadyAge the age of a ready message from which it is overdue
 * @param redrive null for no automatic redrive
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
    Duration alertReadyAge,
    @Nullable RedrivePolicy redrive) {

  public static final int MAX_SHARDS = 256;

  public TopicSettings(
      int readyShards,
      int shardCapacity,
      Duration tReplay,
      int maxAttempts,
      Duration defaultVisibility,
      Duration backoffBase,
      Duration backoffMax,
      TopicRetention retention,
      Duration alertReadyAge) {
    this(
        readyShards,
        shardCapacity,
        tReplay,
        maxAttempts,
        defaultVisibility,
        backoffBase,
        backoffMax,
        retention,
        alertReadyAge,
        null);
  }
}
