package org.svcmailbox.core.topic;

/**
 * What is kept of a topic besides its name.
 *
 * @param overrides what an operator set; in a stored topic with its number of shards
 * @param paused whether nothing is handed out
 * @param liveShards how many shards may hold messages: those that take some, and behind them those
 *     that are still to be emptied since their number was made smaller
 * @param madeShards how many shards ever were, and so may have a ledger
 */
public record TopicState(TopicOverrides overrides, boolean paused, int liveShards, int madeShards) {

  /** A topic that was just made, with so many shards. */
  public static TopicState fresh(TopicOverrides overrides, int shards) {
    return new TopicState(overrides.withReadyShards(shards), false, shards, shards);
  }

  /** With other overrides; shards that are no longer written to stay until they are empty. */
  TopicState with(TopicOverrides changed, int shards) {
    return new TopicState(
        changed.withReadyShards(shards),
        paused,
        Math.max(liveShards, shards),
        Math.max(madeShards, shards));
  }

  TopicState withPaused(boolean now) {
    return new TopicState(overrides, now, liveShards, madeShards);
  }

  /** Without its last shard. */
  TopicState withoutLastShard() {
    return new TopicState(overrides, paused, liveShards - 1, madeShards);
  }
}
