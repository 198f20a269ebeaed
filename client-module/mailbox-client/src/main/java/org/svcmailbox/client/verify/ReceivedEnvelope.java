package org.svcmailbox.client.verify;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The fields of a received envelope that its {@code hash_chain} covers, exactly as received.
 *
 * @param topic the topic
 * @param ts the timestamp, to the letter
 * @param idemKey the sender's key
 * @param payloadHash the digest of the payload, as text
 * @param attributes all attributes, with those that begin with {@code mailbox.}
 * @param hashChain the digest over the fields above, as text
 */
public record ReceivedEnvelope(
    String topic,
    String ts,
    String idemKey,
    String payloadHash,
    Map<String, String> attributes,
    String hashChain) {
  private static final Comparator<String> UTF_8_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  /** Copies the attributes. */
  public ReceivedEnvelope {
    attributes = Map.copyOf(attributes);
  }

  /** The digest of a payload, as {@code payload_hash} has it. */
  public static String payloadHash(byte[] payload) {
    return FramedDigest.of(payload);
  }

  /** The {@code hash_chain} that this envelope should have. */
  public String expectedHashChain() {
    Map<String, String> sorted = new TreeMap<>(UTF_8_ORDER);
    sorted.putAll(attributes);
    FramedDigest digest =
        new FramedDigest("mailbox.hash_chain.v1")
            .text(topic)
            .text(ts)
            .text(idemKey)
            .text(payloadHash)
            .count(sorted.size());
    sorted.forEach((name, value) -> digest.text(name).text(value));
    return digest.finish();
  }

  /**
   * The name of the first digest that does not match, {@code payload_hash} or {@code hash_chain};
   * empty if the message is as the service accepted it.
   */
  public Optional<String> mismatch(byte[] payload) {
    if (!payloadHash(payload).equals(payloadHash)) {
      return Optional.of("payload_hash");
    }
    return expectedHashChain().equals(hashChain) ? Optional.empty() : Optional.of("hash_chain");
  }
}
