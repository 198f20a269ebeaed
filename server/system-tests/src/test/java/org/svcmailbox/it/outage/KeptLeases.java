package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** Messages under long leases when an operator stops the server: their holders still have them. */
final class KeptLeases implements Scenario {
  private static final int LEASES = 4;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("kept");
  private final Fields held =
      Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 600_000);
  private MailboxClient holder;
  private List<Message> leased = List.of();

  KeptLeases(MailboxClient client) {
    this.client = client;
    this.holder = client;
  }

  @Override
  public String name() {
    return "leases are kept, with their receipts and their ceiling";
  }

  @Override
  public void before() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 2)).expect(201);
    for (int i = 0; i < LEASES; i++) {
      client.send(topic, "key-" + i, new byte[100]).expect(200);
    }
    holder = client.with(client.mint("topic = " + topic, "max_inflight = " + LEASES));
    leased = holder.recvAll(held.with("max_messages", 1), LEASES);
  }

  @Override
  public void after() throws IOException {
    client.send(topic, "later", new byte[100]).expect(200);
    assertEquals("max_inflight", holder.recv(held).expect(429).reason());
    List<Message> others = client.recvAll(held, 1);
    assertEquals("later", others.get(0).idemKey());
    assertTrue(client.recv(Fields.of("topic", topic)).expect(200).messages().isEmpty());

    holder.ack(leased.get(0)).expect(200);
    holder.ack(leased.get(0)).expect(200);
    holder.extend(leased.get(1), Duration.ofMinutes(15)).expect(200);
    holder.nack(leased.get(2), Fields.of("delay_ms", 0)).expect(200);
    holder.ack(leased.get(3)).expect(200);
    Message again = client.recvAll(held, 1).get(0);
    assertEquals(leased.get(2).msgId(), again.msgId());
    assertEquals(2, again.attempt());
    holder.ack(leased.get(1)).expect(200);
  }
}
