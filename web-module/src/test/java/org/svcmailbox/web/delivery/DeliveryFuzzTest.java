package org.svcmailbox.web.delivery;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.request.AckFields;
import org.svcmailbox.core.request.ExtendFields;
import org.svcmailbox.core.request.NackFields;
import org.svcmailbox.core.request.RecvFields;
import org.svcmailbox.core.request.SendFields;
import org.svcmailbox.web.TestSettings;
import org.svcmailbox.web.json.Bodies;
import org.svcmailbox.web.json.BodyFuzz;

class DeliveryFuzzTest {
  private static final String SEND =
      """
      {"topic": "orders", "payload": "AAEC", "idem_key": "k-1", "attrs": {"a": "b", "c": ""},
       "corr_id": "c-1", "shard_key": "s", "delay_ms": 10, "ttl_ms": 5, "sig": "x",
       "payload_hash": "b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "tracestate": "a=1",
       "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}\
      """;
  private static final String SETTLE =
      "{\"msg_id\": \"01ARZ3NDEKTSV4RRFFQ69G5FAV\", \"receipt\": \"r-1\"";

  private final BodyFuzz fuzz = new BodyFuzz(new Random().nextLong());

  @Test
  void send() {
    fuzz.attack(
        SEND, body -> Bodies.read(SendFields.class, body).checked(TestSettings.SETTINGS.request()));
  }

  @Test
  void sendBatch() {
    fuzz.attack(
        "{\"messages\": [" + SEND + "," + SEND + "]}",
        body -> Bodies.read(SendBatchRequest.class, body).checked(TestSettings.SETTINGS.request()));
  }

  @Test
  void recv() {
    fuzz.attack(
        """
        {"topic": "orders", "visibility_ms": 5000, "max_messages": 10, "max_bytes": 100000,
         "wait_ms": 30000, "shard": 3}\
        """,
        body -> Bodies.read(RecvFields.class, body).checked(TestSettings.SETTINGS));
  }

  @Test
  void ack() {
    fuzz.attack(SETTLE + "}", body -> Bodies.read(AckFields.class, body).checked());
  }

  @Test
  void ackBatch() {
    fuzz.attack(
        "{\"acks\": [" + SETTLE + "}, " + SETTLE + "}]}",
        body -> Bodies.read(AckBatchRequest.class, body).checked(100));
  }

  @Test
  void nack() {
    fuzz.attack(
        SETTLE + ", \"reason\": \"no \\u00e4\", \"delay_ms\": 100}",
        body -> Bodies.read(NackFields.class, body).checked());
  }

  @Test
  void nackBatch() {
    fuzz.attack(
        "{\"nacks\": [" + SETTLE + ", \"reason\": \"no\", \"dead_letter\": true}]}",
        body -> Bodies.read(NackBatchRequest.class, body).checked(100));
  }

  @Test
  void extendBatch() {
    fuzz.attack(
        "{\"extends\": [" + SETTLE + ", \"visibility_ms\": 250}]}",
        body ->
            Bodies.read(ExtendBatchRequest.class, body)
                .checked(100, TestSettings.SETTINGS.visibility()));
  }

  @Test
  void extend() {
    fuzz.attack(
        SETTLE + ", \"visibility_ms\": 250}",
        body -> Bodies.read(ExtendFields.class, body).checked(TestSettings.SETTINGS.visibility()));
  }
}
