package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** An operator finds the holder of leases and ends them, twelve hours before their time. */
@ContractTest
class ReleasedLeasesIT {
  private static final long LONG = Duration.ofHours(12).toMillis();

  private final MailboxClient operator;
  private final String topic = TestTopics.fresh("released");

  ReleasedLeasesIT(MailboxClient operator) {
    this.operator = operator;
  }

  private JsonNode mint() throws IOException {
    return operator
        .post(
            "/v1/capabilities",
            Fields.of("caveats", List.of("topic = " + topic)).with("expires_in", "1h"))
        .expect(201)
        .json();
  }

  private Message hold(JsonNode minted) throws IOException {
    MailboxClient holder = operator.with(minted.path("capability").asText());
    holder.send(topic, "k", new byte[] {1}).expect(200);
    Fields request = Fields.of("topic", topic).with("visibility_ms", LONG);
    return holder.recv(request).expect(200).message();
  }

  private Message again() throws IOException {
    Fields request = Fields.of("topic", topic).with("wait_ms", 20_000);
    return operator.recv(request).expect(200).message();
  }

  /** The leases of one holder; 0 when it is not among the largest. */
  private long leases(String kind, String holder) throws IOException {
    JsonNode bounds = operator.get("/v1/bounds").expect(200).json().path("bounds");
    return StreamSupport.stream(bounds.spliterator(), false)
        .filter(bound -> bound.path("reason").asText().equals("global_inflight"))
        .flatMap(bound -> StreamSupport.stream(bound.path(kind).spliterator(), false))
        .filter(one -> one.path("holder").asText().equals(holder))
        .mapToLong(one -> one.path("amount").asLong())
        .sum();
  }

  @Test
  void anOperatorSeesWhoHoldsAMessage() throws IOException {
    JsonNode minted = mint();
    Message held = hold(minted);
    JsonNode leases =
        operator.get("/v1/topics/" + topic + "/leases").expect(200).json().path("leases");
    assertEquals(1, leases.size());
    assertEquals(held.msgId(), leases.at("/0/msg_id").asText());
    assertEquals(minted.path("nonce").asText(), leases.at("/0/holder").asText());
    assertFalse(leases.toString().contains(held.receipt()), leases::toString);
  }

  private long end(Fields which) throws IOException {
    return operator
        .post("/v1/topics/" + topic + "/leases/end", which.with("note", "it hangs"))
        .expect(200)
        .json()
        .path("ended")
        .asLong();
  }

  private JsonNode holding(String nonce) throws IOException {
    JsonNode holders = operator.get("/v1/leases").expect(200).json().path("holders");
    return StreamSupport.stream(holders.spliterator(), false)
        .filter(one -> one.path("holder").asText().equals(nonce))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  @Test
  void aLeaseEndsByItsMessageOrItsHolder() throws IOException {
    JsonNode minted = mint();
    Message held = hold(minted);
    String nonce = minted.path("nonce").asText();
    // A worker looks at its leases at most once a second.
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> holding(nonce).path("count").asLong() == 1, () -> "one lease of " + nonce);
    assertEquals("[\"" + topic + "\"]", holding(nonce).path("topics").toString());
    assertEquals(0, end(Fields.of("holder", "0".repeat(32))));
    assertEquals(1, end(Fields.of("msg_ids", List.of(held.msgId()))));
    assertEquals(0, end(Fields.of("holder", nonce)));
    assertEquals(held.msgId(), again().msgId());
  }

  @Test
  void theLeasesOfATopicEnd() throws IOException {
    JsonNode minted = mint();
    Message held = hold(minted);
    assertEquals(1, end(Fields.of("all", true)));
    Message next = again();
    assertEquals(held.msgId(), next.msgId());
    assertEquals(2, next.attempt());
    MailboxClient holder = operator.with(minted.path("capability").asText());
    holder.extend(held, Duration.ofSeconds(5)).expect(410);
  }

  @Test
  void aRevocationEndsTheLeasesOfWhatIsRevoked() throws IOException {
    JsonNode minted = mint();
    Message held = hold(minted);
    String nonce = minted.path("nonce").asText();
    Fields order = Fields.of("nonce", nonce).with("release_leases", true);
    JsonNode answer = operator.post("/v1/capabilities/revoke", order).expect(200).json();
    assertEquals(1, answer.path("released").asLong());
    assertTrue(answer.path("ok").asBoolean());
    assertEquals(held.msgId(), again().msgId());
    assertEquals(0, leases("capabilities", nonce));
  }
}
