package org.svcmailbox.core.envelope;

/**
 * The key that keeps related messages in one shard, and so in order.
 *
 * @param value 1 to 255 characters
 */
public record ShardKey(String value) {
  /** The longest key, in characters. */
  public static final int MAX_LENGTH = 255;

  public ShardKey {
    Text.checked("shard_key", value, 1, MAX_LENGTH);
  }
}
