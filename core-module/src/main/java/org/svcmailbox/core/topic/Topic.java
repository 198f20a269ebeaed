package org.svcmailbox.core.topic;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.settings.TopicSettings;

/**
 * A topic as it stands: an immutable snapshot that travels with each command.
 *
 * @param id the database's number for it; a topic deleted and made again gets another
 */
public record Topic(int id, TopicName name, TopicState state, TopicSettings settings) {

  /** One of its shards. */
  public ShardId shard(int index) {
    if (index >= state.liveShards()) {
      throw new IllegalArgumentException(name + " has no shard " + index);
    }
    return new ShardId(name, index);
  }

  /** All its shards that may hold messages, in order. */
  public List<ShardId> shards() {
    return IntStream.range(0, state.liveShards()).mapToObj(this::shard).toList();
  }

  /** Whether messages are still taken into a shard. */
  public boolean takesInto(ShardId shard) {
    return shard.index() < settings.readyShards();
  }

  /** Whether shards wait to be emptied since their number was made smaller. */
  public boolean isRebalancing() {
    return state.liveShards() > settings.readyShards();
  }

  /** The shard for a message: by its shard key, or else by its idempotency key. */
  public ShardId shardFor(IdemKey idemKey, @Nullable ShardKey shardKey) {
    String key = shardKey != null ? shardKey.value() : idemKey.value();
    return shard(StableHash.of(name.value(), key) % settings.readyShards());
  }
}
