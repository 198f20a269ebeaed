package org.svcmailbox.core.topic;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.TopicSettings;

/** An immutable snapshot of a topic. A topic that is deleted and created again gets another id. */
public record Topic(int id, TopicName name, TopicState state, TopicSettings settings) {

  /** Identifies the topic's settings; unique among all topics of all times. */
  public String version() {
    return id + "." + state.version();
  }

  public ShardId shard(int index) {
    if (index >= state.liveShards()) {
      throw new IllegalArgumentException(name + " has no shard " + index);
    }
    return new ShardId(name, index);
  }

  /** Shards that may hold messages, in order. */
  public List<ShardId> shards() {
    return IntStream.range(0, state.liveShards()).mapToObj(this::shard).toList();
  }

  public boolean takesInto(ShardId shard) {
    return shard.index() < settings.readyShards();
  }

  /** Whether there are surplus shards that are not yet empty. */
  public boolean isRebalancing() {
    return state.liveShards() > settings.readyShards();
  }

  /** Chooses a shard by the shard key, or else by the idempotency key. */
  public ShardId shardFor(IdemKey idemKey, @Nullable ShardKey shardKey) {
    String key = shardKey != null ? shardKey.value() : idemKey.value();
    return shard(StableHash.of(name.value(), key) % settings.readyShards());
  }
}
