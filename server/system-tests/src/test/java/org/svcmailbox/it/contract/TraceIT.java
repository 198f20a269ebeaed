package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

@ContractTest
class TraceIT {
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String STATE = "rojo=1,congo=t61rcWkgMzE";
  private static final byte[] PAYLOAD = {1};

  private final MailboxClient client;
  private final MailboxClient traced;
  private final String topic = TestTopics.fresh("trace");

  TraceIT(MailboxClient client) {
    this.client = client;
    traced = client.withHeaders(Map.of("traceparent", PARENT, "tracestate", STATE));
  }

  @Test
  void aMessageKeepsItsTraceThroughARefusedDelivery() throws IOException {
    traced.send(topic, "key", PAYLOAD).expect(200);
    Message first = client.recv(topic).message();
    assertTraced(first);
    client.nack(first, Fields.of("delay_ms", 0)).expect(200);
    Message second = client.recv(Fields.of("topic", topic).with("wait_ms", 5_000)).message();
    assertEquals(2, second.attempt());
    assertTraced(second);
    assertTrue(second.isIntact());
  }

  @Test
  void everyMessageOfABatchIsPartOfItsTrace() throws IOException {
    traced
        .sendBatch(List.of(Fields.send(topic, "a", PAYLOAD), Fields.send(topic, "b", PAYLOAD)))
        .expect(200);
    client.recvAll(Fields.of("topic", topic).with("wait_ms", 5_000), 2).forEach(this::assertTraced);
  }

  @Test
  void aMessageOfABatchCanHaveATraceOfItsOwn() throws IOException {
    String own = "00-00000000000000000000000000000001-0000000000000001-00";
    traced
        .sendBatch(
            List.of(
                Fields.send(topic, "a", PAYLOAD).with("traceparent", own),
                Fields.send(topic, "b", PAYLOAD)))
        .expect(200);
    for (Message message : client.recvAll(Fields.of("topic", topic).with("wait_ms", 5_000), 2)) {
      if (message.idemKey().equals("a")) {
        assertEquals(own, message.text("traceparent"));
        assertFalse(message.json().has("tracestate"), "the call's is none of its own");
      } else {
        assertTraced(message);
      }
    }
  }

  @Test
  void withoutATraceNothingIsSaidOfOne() throws IOException {
    client
        .withHeaders(Map.of("traceparent", PARENT + "x", "tracestate", STATE))
        .send(topic, "key", PAYLOAD)
        .expect(200);
    Message message = client.recv(topic).message();
    assertFalse(message.json().has("traceparent"));
    assertFalse(message.json().has("tracestate"));
  }

  private void assertTraced(Message message) {
    assertEquals(PARENT, message.text("traceparent"));
    assertEquals(STATE, message.text("tracestate"));
  }
}
