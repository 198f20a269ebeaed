package org.svcmailbox.core.envelope;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fields that travel with a payload.
 *
 * @param ts when the service accepted the message, in whole milliseconds
 * @param seq the place in the shard's ledger, from 1; 0 before acceptance
 * @param attempt the current or next delivery, from 1
 */
public record Envelope(
    MsgId msgId,
    TopicName topic,
    Instant ts,
    IdemKey idemKey,
    Digest payloadHash,
    Attributes attrs,
    CorrId corrId,
    int shard,
    long seq,
    int attempt,
    Digest hashChain,
    @Nullable Signature sig) {

  public Envelope withAttempt(int next) {
    return new Envelope(
        msgId, topic, ts, idemKey, payloadHash, attrs, corrId, shard, seq, next, hashChain, sig);
  }

  public Envelope withSeq(long place) {
    return new Envelope(
        msgId,
        topic,
        ts,
        idemKey,
        payloadHash,
        attrs,
        corrId,
        shard,
        place,
        attempt,
        hashChain,
        sig);
  }

  /** Whether {@code payload} and these fields have the sender's hashes. */
  public boolean isIntact(Payload payload) {
    return payloadHash.equals(payload.hash())
        && hashChain.equals(HashChain.of(topic, ts, idemKey, payloadHash, attrs));
  }
}
