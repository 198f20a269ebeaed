package org.svcmailbox.core.envelope;

import java.time.Instant;

/** The digest over a message's own fields that proves the message unaltered. */
public final class HashChain {
  private static final String DOMAIN = "mailbox.hash_chain.v1";

  private HashChain() {}

  /** The hash chain of a message with these fields. */
  public static Digest of(
      TopicName topic, Instant ts, IdemKey idemKey, Digest payloadHash, Attributes attrs) {
    return of(topic, Timestamps.text(ts), idemKey, payloadHash, attrs);
  }

  /**
   * The same from a received envelope.
   *
   * @param ts the timestamp to the letter
   */
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
