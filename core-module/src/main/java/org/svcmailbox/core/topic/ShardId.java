package org.svcmailbox.core.topic;

import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/** One shard of a topic: the unit of order, and one broker queue. */
public record ShardId(TopicName topic, int index) {
  public ShardId {
    if (index < 0) {
      throw new IllegalArgumentException("shard " + index);
    }
  }

  /** A hash that is the same in every process and version. */
  public int slot() {
    return StableHash.of(topic.value(), Integer.toString(index)) % MsgId.SLOTS;
  }

  @Override
  public String toString() {
    return topic + "/" + index;
  }
}
