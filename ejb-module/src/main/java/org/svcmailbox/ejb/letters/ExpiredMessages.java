package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.time.Instant;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.ExpiryPolicy;
import org.svcmailbox.core.message.LetterExpiry;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.link.BrokerClock;

/**
 * Decides whether messages that the broker expired live on. The broker does not know which of them
 * a consumer held when its session was lost. Its copy lacks the original expiry time, so this is
 * computed again, and is never later than the broker's act.
 */
final class ExpiredMessages {
  private final BrokerClock clock;
  private final UndeliverableSorter.Lives lives;

  ExpiredMessages(BrokerClock clock, UndeliverableSorter.Lives lives) {
    this.clock = clock;
    this.lives = lives;
  }

  /** When the message's new life ends; null if it has none. */
  @Nullable Instant newLife(ICoreMessage expired, ShardId shard) {
    Instant readySince = readySince(expired);
    Instant expiresAt = expiresAt(expired, readySince.plus(life(expired, shard)));
    Instant end = ExpiryPolicy.end(readySince, expiresAt, lives.sessions().apply(shard));
    return end.isAfter(clock.now()) ? end : null;
  }

  /** The computed end, or the broker's act if that came first and the clock was not moved. */
  private Instant expiresAt(ICoreMessage expired, Instant ended) {
    Instant acted = clock.onOurs(expired.getLongProperty(Message.HDR_ACTUAL_EXPIRY_TIME));
    return ended.isBefore(acted) || !clock.ahead().isZero() ? ended : acted;
  }

  /**
   * How long a dead letter that the broker expired is still kept; null if its retention is over.
   */
  @Nullable Instant keptUntil(ICoreMessage letter, Duration retention) {
    Instant now = clock.now();
    Instant deadAt =
        letter.getObjectProperty(MessageCodec.DEAD_AT) instanceof Long millis
            ? Instant.ofEpochMilli(millis)
            : readySince(letter);
    Instant end =
        new LetterExpiry(lives.started(), now, now.plus(clock.ahead())).end(deadAt, retention);
    return end.isAfter(now) ? end : null;
  }

  /** The message's last error, or what its past allows to conclude; null for nothing. */
  @Nullable String note(ICoreMessage expired, ShardId shard) {
    String lastError = MessageCodec.lastError(expired);
    return ExpiryPolicy.note(readySince(expired), lives.sessions().apply(shard), lastError);
  }

  private Duration life(ICoreMessage message, ShardId shard) {
    Duration ttl = MessageCodec.ttl(message);
    return ttl != null ? ttl : lives.retention().apply(shard.topic());
  }

  private static Instant readySince(ICoreMessage message) {
    return Instant.ofEpochMilli(message.getTimestamp());
  }
}
