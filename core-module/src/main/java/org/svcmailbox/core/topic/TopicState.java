package org.svcmailbox.core.topic;

/**
 * A topic's stored state.
 *
 * @param version counts changes of the overrides, from 1
 * @param liveShards shards that may hold messages, including surplus ones
 * @param madeShards shards that ever existed, and so may have a ledger
 */
public record TopicState(
    TopicOverrides overrides, int version, boolean paused, int liveShards, int madeShards) {

  public static TopicState fresh(TopicOverrides overrides, int shards) {
    return new TopicState(overrides.withReadyShards(shards), 1, false, shards, shards);
  }

  /** Surplus shards stay until they are empty. */
  TopicState with(TopicOverrides changed, int shards) {
    return new TopicState(
        changed.withReadyShards(shards),
        version + 1,
        paused,
        Math.max(liveShards, shards),
        Math.max(madeShards, shards));
  }

  TopicState withPaused(boolean now) {
    return new TopicState(overrides, version, now, liveShards, madeShards);
  }

  /** A copy in which at least this many shards may hold messages. */
  TopicState withShards(int shards) {
    return new TopicState(
        overrides, version, paused, Math.max(liveShards, shards), Math.max(madeShards, shards));
  }

  TopicState withoutLastShard() {
    return new TopicState(overrides, version, paused, liveShards - 1, madeShards);
  }
}
