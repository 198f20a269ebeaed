package org.svcmailbox.it.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;

/**
 * A received message.
 *
 * @param json as it came
 */
public record Message(JsonNode json) {
  public String msgId() {
    return text("msg_id");
  }

  public String topic() {
    return text("topic");
  }

  public String idemKey() {
    return text("idem_key");
  }

  public String receipt() {
    return text("receipt");
  }

  public int attempt() {
    return json.path("attempt").asInt();
  }

  public int shard() {
    return json.path("shard").asInt();
  }

  public long seq() {
    return json.path("seq").asLong();
  }

  /** The payload's bytes. */
  public byte[] payload() {
    try {
      return json.path("payload").binaryValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The BLAKE3 of the bytes that came, in the envelope's notation. */
  public String actualHash() {
    return Blake3.of(payload()).toString();
  }

  /** Whether the envelope's two digests are those of what came. */
  public boolean isIntact() {
    Map<String, String> attrs = new TreeMap<>();
    json.path("attrs").properties().forEach(e -> attrs.put(e.getKey(), e.getValue().asText()));
    Digest hash = Blake3.of(payload());
    Digest chain =
        HashChain.of(
            new TopicName(topic()),
            Instant.parse(text("ts")),
            new IdemKey(idemKey()),
            hash,
            new Attributes(attrs));
    return hash.toString().equals(text("payload_hash"))
        && chain.toString().equals(text("hash_chain"));
  }

  /** A field's text. */
  public String text(String field) {
    return json.path(field).asText();
  }
}
