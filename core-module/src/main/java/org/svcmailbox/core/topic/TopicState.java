package org.svcmailbox.core.topic;

/**
 * A topic's stored state.
 *
 * @param liveShards shards that may hold messages, including surplus ones
 * @param madeShards shards that ever existed, and so may have a ledger
 */
public record TopicState(TopicOverrides overrides, boolean paused, int liveShards, int madeShards) {

  public static TopicState fresh(TopicOverrides overrides, int shards) {
    return new TopicState(overrides.withReadyShards(shards), false, shards, shards);
  }

  /** Surplus shards stay until they are empty. */
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

  /** A copy in which at least this many shards may hold messages. */
  TopicState withShards(int shards) {
    return new TopicState(
        overrides, paused, Math.max(liveShards, shards), Math.max(madeShards, shards));
  }

  TopicState withoutLastShard() {
    return new TopicState(overrides, paused, liveShards - 1, madeShards);
  }
}
