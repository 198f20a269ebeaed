package org.svcmailbox.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.SchemaException;

/** A validated RECV. A single message larger than {@code maxBytes} is still delivered alone. */
public record RecvRequest(
    TopicName topic,
    @Nullable Duration visibility,
    int maxMessages,
    long maxBytes,
    Duration maxWait,
    @Nullable Integer shard) {

  public static final int MAX_MESSAGES = 100;

  public static final Duration MAX_WAIT = Duration.ofSeconds(30);

  public RecvRequest {
    require(maxMessages >= 1 && maxMessages <= MAX_MESSAGES, "max_messages", "1 to 100");
    require(maxBytes >= 1, "max_bytes", "at least 1");
    require(!maxWait.isNegative() && maxWait.compareTo(MAX_WAIT) <= 0, "wait_ms", "0 to 30000");
    require(shard == null || shard >= 0, "shard", "at least 0");
  }

  private static void require(boolean holds, String field, String range) {
    if (!holds) {
      throw new SchemaException(field, "must be " + range);
    }
  }
}
