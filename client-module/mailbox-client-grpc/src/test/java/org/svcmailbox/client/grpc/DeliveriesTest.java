package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvResponse;

class DeliveriesTest extends GrpcFixture {
  private static Received at(String ts) {
    byte[] body = {'a'};
    String hash = ReceivedEnvelope.payloadHash(body);
    String chain =
        new ReceivedEnvelope(ScriptedDoor.TOPIC, ts, "key", hash, Map.of(), "").expectedHashChain();
    Instant instant = Instant.parse(ts);
    return Received.newBuilder()
        .setReceipt("r")
        .setPayload(ByteString.copyFrom(body))
        .setEnvelope(
            org.svcmailbox.proto.v1.Envelope.newBuilder()
                .setMsgId("m")
                .setTopic(ScriptedDoor.TOPIC)
                .setTs(
                    Timestamp.newBuilder()
                        .setSeconds(instant.getEpochSecond())
                        .setNanos(instant.getNano()))
                .setIdemKey("key")
                .setAttempt(1)
                .setPayloadHash(hash)
                .setHashChain(chain))
        .build();
  }

  /** An instant's own text leaves out zeros. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-02T03:04:05.678Z",
        "2026-01-02T03:04:05.600Z",
        "2026-01-02T03:04:05.000Z",
        "2026-01-02T03:04:00.000Z"
      })
  void theDigestCoversTheTimeWithMilliseconds(String ts) {
    door.onRecv = recv -> RecvResponse.newBuilder().addMessages(at(ts)).build();
    List<Message<String, String>> received = mailbox().receive(1, LEASE, java.time.Duration.ZERO);
    assertEquals("a", received.get(0).body());
    assertEquals(Instant.parse(ts), received.get(0).enqueuedAt());
  }

  @Test
  void aMessageWithoutAReceiptIsNone() {
    Received without = at("2026-01-02T03:04:05.678Z").toBuilder().clearReceipt().build();
    assertThrows(IOException.class, () -> Deliveries.of(without, new byte[0], ScriptedDoor.TOPIC));
  }
}
