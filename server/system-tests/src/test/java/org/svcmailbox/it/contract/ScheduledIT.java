package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

@ContractTest
class ScheduledIT {
  private static final String NOBODYS = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("scheduled");
  private final String path = "/v1/topics/" + topic + "/scheduled";

  ScheduledIT(MailboxClient client) {
    this.client = client;
  }

  private String send(String key, long delayMillis) throws IOException {
    Fields message = Fields.send(topic, key, new byte[] {1}).with("delay_ms", delayMillis);
    return client.send(message).expect(200).msgId();
  }

  private MailboxAnswer cancel(String msgId) throws IOException {
    return client.call("DELETE", path + "/" + msgId, Fields.NONE);
  }

  private List<JsonNode> pages(int limit) throws IOException {
    List<JsonNode> all = new ArrayList<>();
    String query = "?limit=" + limit;
    while (true) {
      JsonNode page = client.get(path + query).expect(200).json();
      assertTrue(page.path("messages").size() <= limit);
      page.path("messages").forEach(all::add);
      if (!page.has("next_cursor")) {
        return all;
      }
      query = "?limit=" + limit + "&cursor=" + page.path("next_cursor").asText();
    }
  }

  @Test
  void whatWaitsForItsTimeIsListedSoonestFirst() throws IOException {
    Instant before = Instant.now();
    send("ready", 0);
    for (int i = 0; i < 7; i++) {
      send("k" + i, 3_600_000 - 60_000L * i);
    }
    List<JsonNode> listed = pages(2);
    assertEquals(
        List.of("k6", "k5", "k4", "k3", "k2", "k1", "k0"),
        listed.stream().map(message -> message.path("idem_key").asText()).toList());
    JsonNode last = listed.get(6);
    Instant due = Instant.parse(last.path("due").asText());
    assertFalse(due.isBefore(before.plusMillis(3_599_999)), () -> "due at " + due);
    assertFalse(last.has("payload"));
    assertEquals(1, last.path("attempt").asInt());
  }

  @Test
  void aMessageThatComesBackLaterIsListedAndCancelledToo() throws IOException {
    send("again", 0);
    Message held =
        client.recv(Fields.of("topic", topic).with("wait_ms", 5_000)).expect(200).message();
    client.nack(held, Fields.of("reason", "not yet").with("delay_ms", 600_000)).expect(200);
    JsonNode listed = pages(100).get(0);
    assertEquals(2, listed.path("attempt").asInt());
    assertEquals("not yet", listed.path("last_error").asText());
    cancel(held.msgId()).expect(200);
    assertEquals(0, client.topic(topic).json().path("delayed").asInt(-1));
    client.ack(held).expect(410);
  }

  @Test
  void aCancelledMessageNeverComesAndItsKeyStaysTaken() throws IOException {
    String gone = send("gone", 8_000);
    String left = send("left", 8_000);
    cancel(gone).expect(200);
    cancel(gone).expect(404);
    cancel(NOBODYS).expect(404);
    assertEquals(List.of(left), pages(100).stream().map(m -> m.path("msg_id").asText()).toList());

    Fields recv = Fields.of("topic", topic).with("wait_ms", 30_000).with("visibility_ms", 60_000);
    assertEquals(left, client.recv(recv).expect(200).message().msgId());
    cancel(left).expect(404);
    assertEquals(List.of(), client.recv(recv.with("wait_ms", 500)).expect(200).messages());
    MailboxAnswer repeated = client.send(topic, "gone", new byte[] {1}).expect(200);
    assertTrue(repeated.duplicate());
    assertEquals(gone, repeated.msgId());
  }

  @Test
  void whatIsReadyOrUnderALeaseIsNoLongerScheduled() throws IOException {
    String ready = send("ready", 0);
    cancel(ready).expect(404);
    assertEquals(ready, client.recv(topic).message().msgId());
    cancel(ready).expect(404);
  }

  @Test
  void cancellingIsAnOperatorsActInTheAudit() throws IOException {
    String id = send("audited", 600_000);
    client.with(client.mint("ops = send,recv,ack,nack,extend,peek,dlq")).get(path).expect(200);
    MailboxClient viewer = client.with(client.mint("ops = peek"));
    viewer.call("DELETE", path + "/" + id, Fields.NONE).expect(403);
    cancel(id).expect(200);
    String audit = client.get("/v1/audit?action=topic.cancel&subject=" + topic).expect(200).text();
    assertTrue(audit.contains(id), audit);
  }

  @Test
  void aTopicThatIsNotThereHasNone() throws IOException {
    client.get(path).expect(404);
    cancel(NOBODYS).expect(404);
  }
}
