package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** Operators send a dead letter again with something changed. */
@ContractTest
class ResendIT {
  private static final Fields NOTE = Fields.of("note", "a test");
  private static final String LINK = "mailbox.resent_from";
  private static final int MAX_FRAME = 1 << 20;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("resend");
  private final JobLetters letters;

  ResendIT(MailboxClient client) throws IOException {
    this.client = client;
    letters = JobLetters.of(client, topic);
  }

  private String dead(String key) throws IOException {
    Fields message = letters.message(key).with("corr_id", "c");
    return letters.dead(message.with("attrs", Fields.of("colour", "red")));
  }

  private MailboxAnswer resend(MailboxClient by, String msgId, Fields body) throws IOException {
    return by.post("/v1/dlq/" + topic + "/" + msgId + "/resend", body);
  }

  private static String base64(byte[] payload) {
    return Base64.getEncoder().encodeToString(payload);
  }

  private static String attribute(Message message, String name) {
    return message.json().path("attrs").path(name).asText();
  }

  @Test
  void aLetterIsSentAgainAsItWas() throws IOException {
    String id = dead("key");
    MailboxAnswer answer = resend(client, id, NOTE).expect(200);
    assertFalse(answer.duplicate());
    assertEquals(List.of(), letters.ids());
    assertEquals(0, letters.count());
    Message message = letters.recv();
    assertEquals(answer.msgId(), message.msgId());
    assertNotEquals(id, message.msgId());
    assertEquals("resend-" + id, message.idemKey());
    assertEquals(1, message.attempt());
    assertEquals("c", message.text("corr_id"));
    assertEquals("red", attribute(message, "colour"));
    assertEquals(id, attribute(message, LINK));
    assertArrayEquals(new byte[] {1, 2, -1}, message.payload());
    assertTrue(message.isIntact());
    assertEquals("E_NOT_FOUND", resend(client, id, NOTE).expect(404).code());

    letters.refuse(message);
    String event = letters.letter(message.msgId()).path("history").get(0).path("event").asText();
    assertEquals(List.of(message.msgId()), letters.ids());
    assertFalse(event.isEmpty());
  }

  @Test
  void whatIsChangedIsChanged() throws IOException {
    String target = TestTopics.fresh("resend");
    JobLetters there = JobLetters.of(client, target);
    String id = dead("key");
    Fields changes =
        NOTE.with("payload", base64(new byte[] {9}))
            .with("attrs", Fields.of("size", "1"))
            .with("idem_key", "another")
            .with("to_topic", target);
    String sent = resend(client, id, changes).expect(200).msgId();
    assertEquals(List.of(), letters.ids());
    Message message = there.recv();
    assertEquals(sent, message.msgId());
    assertEquals("another", message.idemKey());
    assertArrayEquals(new byte[] {9}, message.payload());
    assertEquals("", attribute(message, "colour"));
    assertEquals("1", attribute(message, "size"));
    assertEquals(id, attribute(message, LINK));
    assertTrue(message.isIntact());
    String audit = client.get("/v1/audit?subject=" + id).expect(200).text();
    assertTrue(audit.contains("\"dlq.resend\""), audit);
    assertTrue(audit.contains(target), audit);
    assertTrue(audit.contains("a test"), audit);
  }

  @Test
  void aLetterWithTheMostAttributesIsSentAgain() throws IOException {
    Fields most = Fields.NONE;
    for (int i = 0; i < 32; i++) {
      most = most.with("a" + i, "v");
    }
    String id = letters.dead(letters.message("key").with("attrs", most));
    resend(client, id, NOTE).expect(200);
    Message message = letters.recv();
    assertEquals(32, message.json().path("attrs").size());
    assertEquals("", attribute(message, LINK), "there is no room for it");
    letters.refuse(message);
    JsonNode history = letters.letter(message.msgId()).path("history");
    assertTrue(history.toString().contains(id), history::toString);

    Fields others = most.with("b", "v").without("a0");
    String sent = resend(client, message.msgId(), NOTE.with("attrs", others)).expect(200).msgId();
    message = letters.recv();
    assertEquals(sent, message.msgId());
    assertEquals("v", attribute(message, "b"));
  }

  @Test
  void aLetterStaysWhereItIsWhenItsNewKeyIsTaken() throws IOException {
    String id = dead("key");
    client.send(Fields.send(topic, "taken", new byte[] {7})).expect(200);
    MailboxAnswer conflict = resend(client, id, NOTE.with("idem_key", "taken")).expect(409);
    assertEquals("E_DUPLICATE", conflict.code());
    assertEquals(List.of(id), letters.ids());
    assertEquals(1, letters.count());
    assertEquals("taken", letters.recv().idemKey());
    resend(client, id, NOTE).expect(200);
    assertEquals(List.of(), letters.ids());
  }

  @Test
  void aLetterStaysWhereItIsWhenTheMessageIsTooLarge() throws IOException {
    String id = dead("key");
    Fields large = NOTE.with("payload", base64(new byte[MAX_FRAME + 1]));
    assertEquals("E_FRAME_TOO_LARGE", resend(client, id, large).expect(413).code());
    assertEquals(List.of(id), letters.ids());
    resend(client, id, NOTE.with("payload", base64(new byte[MAX_FRAME]))).expect(200);
    assertEquals(MAX_FRAME, letters.recv().payload().length);
  }

  @Test
  void whatIsBadIsNamed() throws IOException {
    String id = dead("key");
    assertEquals(List.of("note"), resend(client, id, Fields.NONE).expect(400).fields());
    Fields bad = Fields.of("note", "a\u0007b").with("idem_key", "").with("to_topic", "a b");
    List<String> fields = resend(client, id, bad).expect(400).fields();
    assertEquals(List.of("idem_key", "note", "to_topic"), fields.stream().sorted().toList());
    assertEquals(
        List.of("payload"), resend(client, id, NOTE.with("payload", "?")).expect(400).fields());
    assertEquals(List.of("colour"), resend(client, id, NOTE.with("colour", "red")).fields());
    assertEquals(List.of("msg_id"), resend(client, "x", NOTE).expect(400).fields());
    assertEquals(List.of(id), letters.ids());
  }

  @Test
  void itNeedsARightOfItsOwnForEachTopic() throws IOException {
    String id = dead("key");
    MailboxClient jobs = client.with(client.mint("ops = dlq"));
    assertEquals("operation", resend(jobs, id, NOTE).expect(403).reason());
    MailboxClient editor = client.with(client.mint("ops = dlq.edit", "topic = " + topic));
    Fields away = NOTE.with("to_topic", topic + ".other");
    assertEquals("topic", resend(editor, id, away).expect(403).reason());
    assertEquals(List.of(id), letters.ids());
    resend(editor, id, NOTE).expect(200);
    assertEquals(List.of(), letters.ids());
  }
}
