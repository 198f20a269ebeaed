package org.svcmailbox.it.contract;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.it.client.Fields;

/** A well-formed request of every kind, for tests that spoil it. */
final class Requests {
  static final String MSG_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  private Requests() {}

  /** Every route that takes a body by POST, with a body it accepts. */
  static Map<String, Fields> posts(String topic) {
    Map<String, Fields> posts = new TreeMap<>();
    posts.put("/v1/send", send(topic));
    posts.put("/v1/send/batch", Fields.of("messages", List.of(send(topic))));
    posts.put("/v1/recv", recv(topic));
    posts.put("/v1/ack", settle());
    posts.put("/v1/ack/batch", Fields.of("acks", List.of(settle())));
    posts.put("/v1/nack", settle().with("reason", "why").with("delay_ms", 5));
    posts.put("/v1/nack/batch", Fields.of("nacks", List.of(settle())));
    posts.put("/v1/extend", extend());
    posts.put("/v1/extend/batch", Fields.of("extends", List.of(extend())));
    return posts;
  }

  static Fields send(String topic) {
    return Fields.send(topic, "key", new byte[] {1, 2, 3})
        .with("attrs", Fields.of("colour", "red"))
        .with("corr_id", "corr")
        .with("shard_key", "shard")
        .with("delay_ms", 0)
        .with("sig", "sig");
  }

  static Fields recv(String topic) {
    return Fields.of("topic", topic)
        .with("visibility_ms", 5_000)
        .with("max_messages", 1)
        .with("max_bytes", 1_000)
        .with("wait_ms", 0)
        .with("shard", 0);
  }

  static Fields extend() {
    return settle().with("visibility_ms", 5_000);
  }

  static Fields settle() {
    return Fields.of("msg_id", MSG_ID).with("receipt", "receipt");
  }
}
