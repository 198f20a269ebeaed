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
public record Topic(int id, TopicName name, TopicOverrides overrides, TopicSettings settings) {

  /** One of its shards. */
  public ShardId shard(int index) {
    if (index >= settings.readyShards()) {
      throw new IllegalArgumentException(name + " has no shard " + index);
    }
    return new ShardId(name, index);
  }

  /** All its shards, in order. */
  public List<ShardId> shards() {
    return IntStream.range(0, settings.readyShards()).mapToObj(this::shard).toList();
  }

  /** The shard for a message: by its shard key, or else by its idempotency key. */
  public ShardId shardFor(IdemKey idemKey, @Nullable ShardKey shardKey) {
    String key = shardKey != null ? shardKey.value() : idemKey.value();
    return shard(StableHash.of(name.value(), key) % settings.readyShards());
  }
}
