package org.svcmailbox.it.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.Message;

/**
 * All that an old data directory has, as the old server's clients know it.
 *
 * @param commit that the old server was built from
 * @param madeAt when it was killed
 * @param topics with settings, as it answered them
 * @param sent every SEND that it answered with an id
 * @param ready the messages that a RECV must return, of every topic with such
 * @param unanswered keys of SENDs that the kill left without an answer
 * @param scheduled the only message that is not due yet, as it answered it
 * @param leases that the kill ended
 * @param letters dead letters, as it answered them
 * @param ledgers with all entries, as it answered them
 * @param capability a minted one, of a root key that no longer mints
 * @param revoked another one, which was revoked
 * @param job a paused one
 * @param doorToken for the rendezvous door
 */
record Inventory(
    String commit,
    String madeAt,
    List<JsonNode> topics,
    List<Sent> sent,
    List<Ready> ready,
    List<String> unanswered,
    JsonNode scheduled,
    List<Lease> leases,
    List<JsonNode> letters,
    List<Ledger> ledgers,
    String capability,
    String revoked,
    String job,
    String doorToken) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * A SEND.
   *
   * @param size bytes of its payload, which its key gives
   * @param more fields of its request
   */
  record Sent(String topic, String key, int size, Map<String, Object> more, String msgId) {
    /** As it was made, and as it is repeated. */
    Fields request() {
      Fields request = Fields.send(topic, key, payload());
      for (Map.Entry<String, Object> field : more.entrySet()) {
        request = request.with(field.getKey(), field.getValue());
      }
      return request;
    }

    byte[] payload() {
      byte[] text = key.getBytes(StandardCharsets.UTF_8);
      byte[] payload = new byte[size];
      for (int i = 0; i < size; i++) {
        payload[i] = text[i % text.length];
      }
      return payload;
    }
  }

  /** A message as a RECV must return it. */
  record Ready(String topic, String key, int attempt) {
    static Ready of(Message message) {
      return new Ready(message.topic(), message.idemKey(), message.attempt());
    }
  }

  /** The lease of a message. */
  record Lease(String msgId, String receipt) {}

  /** A shard's ledger. */
  record Ledger(String topic, int shard, JsonNode page) {
    String path() {
      return path(topic, shard);
    }

    static String path(String topic, int shard) {
      return "/v1/topics/" + topic + "/ledger?limit=1000&shard=" + shard;
    }
  }

  static Inventory read(InputStream from) throws IOException {
    return MAPPER.readValue(from, Inventory.class);
  }

  void write(Path to) throws IOException {
    Files.write(to, MAPPER.writeValueAsBytes(this));
  }

  Instant made() {
    return Instant.parse(madeAt);
  }

  /** The keys and attempts that a topic must serve. */
  List<Ready> ready(String topic) {
    return ready.stream().filter(one -> one.topic().equals(topic)).toList();
  }

  /** The answered SENDs of a topic. */
  List<Sent> sent(String topic) {
    return sent.stream().filter(one -> one.topic().equals(topic)).toList();
  }
}
