package org.svcmailbox.core.envelope;

import java.time.Instant;

/** Computes the digest over a message's fields that detects any change. */
public final class HashChain {
  private static final String DOMAIN = "mailbox.hash_chain.v1";

  private HashChain() {}

  public static Digest of(
      TopicName topic, Instant ts, IdemKey idemKey, Digest payloadHash, Attributes attrs) {
    return of(topic, Timestamps.text(ts), idemKey, payloadHash, attrs);
  }

  /** Hashes a received envelope with its timestamp verbatim. */
  public static Digest of(
      TopicName topic, String ts, IdemKey idemKey, Digest payloadHash, Attributes attrs) {
    Blake3 hash =
        Blake3.domain(DOMAIN)
            .text(topic.value())
            .text(ts)
            .text(idemKey.value())
            .text(payloadHash.toString())
            .count(attrs.values().size());
    attrs.values().forEach((key, value) -> hash.text(key).text(value));
    return hash.finish();
  }
}
