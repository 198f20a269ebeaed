package org.svcmailbox.core.envelope;

/** Keeps related messages in one shard, and so in order: 1 to 255 characters. */
public record ShardKey(String value) {
  public static final int MAX_LENGTH = 255;

  public ShardKey {
    Text.checked("shard_key", value, 1, MAX_LENGTH);
  }
}
