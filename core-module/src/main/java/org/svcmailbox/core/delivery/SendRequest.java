package org.svcmailbox.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A checked SEND.
 *
 * @param delay how long the message stays hidden at first, zero to seven days
 * @param ttl how long it may then wait to be received, null for the topic's retention
 * @param payloadHash the payload's hash according to the sender; null if not given
 * @param trace the message's place in its sender's trace; null if not given
 */
public record SendRequest(
    TopicName topic,
    Payload payload,
    IdemKey idemKey,
    Attributes attrs,
    @Nullable CorrId corrId,
    @Nullable ShardKey shardKey,
    Duration delay,
    @Nullable Duration ttl,
    @Nullable Digest payloadHash,
    @Nullable Signature sig,
    @Nullable TraceContext trace) {

  public static final Duration MAX_DELAY = Duration.ofDays(7);

  public static final Duration MIN_TTL = Duration.ofMillis(1);

  public static final Duration MAX_TTL = Duration.ofDays(365);

  public SendRequest {
    if (delay.isNegative() || delay.compareTo(MAX_DELAY) > 0) {
      throw new SchemaException("delay_ms", "must be between 0 and " + MAX_DELAY.toMillis());
    }
    if (ttl != null && (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0)) {
      throw new SchemaException(
          "ttl_ms", "must be between " + MIN_TTL.toMillis() + " and " + MAX_TTL.toMillis());
    }
  }

  /** A SEND outside any trace. */
  public SendRequest(
      TopicName topic,
      Payload payload,
      IdemKey idemKey,
      Attributes attrs,
      @Nullable CorrId corrId,
      @Nullable ShardKey shardKey,
      Duration delay,
      @Nullable Signature sig) {
    this(topic, payload, idemKey, attrs, corrId, shardKey, delay, null, null, sig, null);
  }

  /**
   * The same SEND with this correlation id (null for none), and with this trace context unless the
   * sender gave one.
   */
  public SendRequest within(@Nullable CorrId correlation, @Nullable TraceContext context) {
    return new SendRequest(
        topic,
        payload,
        idemKey,
        attrs,
        correlation,
        shardKey,
        delay,
        ttl,
        payloadHash,
        sig,
        trace != null ? trace : context);
  }
}
