package org.svcmailbox.core.envelope;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fields that travel around a payload.
 *
 * @param ts when the service took the message, UTC, whole milliseconds
 * @param shard the shard it is in, from 0
 * @param seq its place in the shard's ledger, from 1; 0 until it is accepted
 * @param attempt the number of the delivery it is ready for or in, from 1
 * @param sig the sender's detached signature, if it gave one
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

  /** The same message, ready for another delivery. */
  public Envelope withAttempt(int next) {
    return new Envelope(
        msgId, topic, ts, idemKey, payloadHash, attrs, corrId, shard, seq, next, hashChain, sig);
  }

  /** The same message, accepted at a place in its shard's ledger. */
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

  /** Whether {@code payload} and these fields are what the sender gave. */
  public boolean isIntact(Payload payload) {
    return payloadHash.equals(payload.hash())
        && hashChain.equals(HashChain.of(topic, ts, idemKey, payloadHash, attrs));
  }
}
