package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.OctetClient;
import org.svcmailbox.it.client.TestTopics;

/** Messages that go in with a bare payload, out with one, or both. */
@ContractTest
class OctetIT {
  private static final int MAX_FRAME = 1024 * 1024;
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final MailboxClient client;
  private final OctetClient octets;
  private final String topic = TestTopics.fresh("octets");

  OctetIT(MailboxClient client) {
    this.client = client;
    this.octets = new OctetClient(client);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private Map<String, String> key(String key) {
    return new LinkedHashMap<>(Map.of("Mailbox-Topic", topic, "Idempotency-Key", key));
  }

  @Test
  void whatIsSentAsOctetsIsReceivedAsJson() throws IOException {
    byte[] payload = random(1_000);
    Map<String, String> headers = key("\"key 1\"");
    headers.put("Mailbox-Attrs", "{\"colour\": \"red\", \"gr\\u00f6\\u00dfe\": \"\\n\"}");
    headers.put("Mailbox-Corr-Id", "UTF-8''my%20own");
    headers.put("Mailbox-Sig", "signed");
    headers.put("traceparent", PARENT);
    MailboxAnswer sent = octets.send(headers, payload).expect(200);
    Message message = client.recv(topic).message();

    assertEquals(sent.msgId(), message.msgId());
    assertEquals("key 1", message.idemKey());
    assertEquals(
        Fields.of("colour", "red").with("größe", "\n").text(),
        message.json().path("attrs").toString());
    assertEquals("my own", message.text("corr_id"));
    assertEquals("signed", message.text("sig"));
    assertEquals(PARENT, message.text("traceparent"));
    assertArrayEquals(payload, message.payload());
    assertTrue(message.isIntact());
  }

  @Test
  void bothFormsGiveTheSameEnvelope() throws IOException {
    Fields request =
        Fields.send(topic, "schlüssel 𝄞\r\nX-Evil: 1", random(1_000))
            .with("attrs", Map.of("größe", "✓ 𝄞 \" \\ \r\nX-Evil: 1 \u007f", "empty", ""))
            .with("corr_id", "my own\n")
            .with("sig", "\"signed\"");
    client.withHeaders(Map.of("traceparent", PARENT)).send(request).expect(200);
    MailboxAnswer answer = octets.recv(topic).expect(200);
    Message bare = OctetClient.message(answer);
    assertTrue(bare.isIntact());
    assertTrue(answer.header("X-Evil").isEmpty());

    client.nack(bare, Fields.of("delay_ms", 0)).expect(200);
    Message json = client.recv(Fields.of("topic", topic).with("wait_ms", 5_000)).message();
    assertTrue(json.isIntact());
    assertEquals(1, bare.attempt());
    assertEquals(2, json.attempt());
    assertEquals(ofEveryDelivery(json), ofEveryDelivery(bare));
    client.ack(json).expect(200);
  }

  private static Map<String, Object> ofEveryDelivery(Message message) {
    ObjectNode fields = message.json().deepCopy();
    fields.remove(List.of("attempt", "receipt", "payload"));
    Map<String, Object> all = new TreeMap<>();
    fields.properties().forEach(field -> all.put(field.getKey(), field.getValue().toString()));
    all.put("payload", message.actualHash());
    return all;
  }

  @Test
  void aKeyIsTheSameKeyInBothForms() throws IOException {
    byte[] payload = random(10);
    MailboxAnswer first = client.send(topic, "key", payload).expect(200);
    MailboxAnswer second = octets.send(key("key"), payload).expect(200);
    assertTrue(second.duplicate());
    assertEquals(first.msgId(), second.msgId());
    assertEquals("E_DUPLICATE", octets.send(key("key"), random(11)).expect(409).code());
  }

  @Test
  void payloadsFromNothingToTheFrameGoThrough() throws IOException {
    for (int size : new int[] {0, 1, 16 * 1024, 100_000, MAX_FRAME}) {
      octets.send(key("key-" + size), random(size)).expect(200);
      MailboxAnswer answer = octets.recv(topic).expect(200);
      assertArrayEquals(random(size), answer.body().bytes());
      Message message = OctetClient.message(answer);
      assertTrue(message.isIntact());
      client.ack(message).expect(200);
    }
    MailboxAnswer refused = octets.send(key("larger"), new byte[MAX_FRAME + 1]).expect(413);
    assertEquals("E_FRAME_TOO_LARGE", refused.code());
    assertFalse(refused.text().isEmpty());
  }

  @Test
  void theLargestEnvelopeGoesInAndOut() throws IOException {
    Map<String, String> attrs = new TreeMap<>();
    for (int i = 0; i < 32; i++) {
      attrs.put("ä".repeat(126) + (10 + i), "\u0001".repeat(1024));
    }
    Fields largest =
        Fields.send(topic, "ÿ".repeat(255), new byte[1])
            .with("attrs", attrs)
            .with("corr_id", "✓".repeat(128))
            .with("sig", "✓".repeat(1024));
    client.send(largest).expect(200);
    MailboxAnswer out = octets.recv(topic).expect(200);
    Message message = OctetClient.message(out);
    assertTrue(message.isIntact());
    assertEquals("✓".repeat(1024), message.text("sig"));

    Map<String, String> headers = key(out.header("Idempotency-Key").orElseThrow() + "%21");
    assertEquals(
        List.of("Idempotency-Key"), octets.send(headers, new byte[1]).expect(400).fields());
    headers = key("another");
    for (String name : List.of("Mailbox-Attrs", "Mailbox-Corr-Id", "Mailbox-Sig")) {
      headers.put(name, out.header(name).orElseThrow());
    }
    // In a request's head there is room for less: large attributes go in the body.
    headers.put("Mailbox-Attrs", "{\"a\":\"" + "\\u0001".repeat(1024) + "\"}");
    octets.send(headers, new byte[1]).expect(200);
    assertEquals(
        "\u0001".repeat(1024),
        OctetClient.message(octets.recv(topic)).json().path("attrs").path("a").asText());
  }

  @Test
  void aRecvThatFindsNothingIsNoContent() throws IOException {
    client.putTopic(topic, Fields.NONE);
    MailboxAnswer answer = octets.recv(Map.of("Mailbox-Topic", topic)).expect(204);
    assertEquals("", answer.text());
  }

  @Test
  void problemsNameHeadersAndAreJson() throws IOException {
    MailboxAnswer refused = octets.send(Map.of("Mailbox-What", "1"), new byte[1]).expect(400);
    assertEquals("E_SCHEMA", refused.code());
    assertEquals(List.of("Mailbox-What"), refused.fields());
    assertEquals("application/problem+json", refused.header("Content-Type").orElse(""));
    assertEquals(
        List.of("Mailbox-Topic", "Idempotency-Key"),
        octets.send(Map.of(), new byte[1]).expect(400).fields());
    assertEquals(
        List.of("Mailbox-Wait-Ms"),
        octets
            .recv(Map.of("Mailbox-Topic", topic, "Mailbox-Wait-Ms", "30001"))
            .expect(400)
            .fields());
  }
}
