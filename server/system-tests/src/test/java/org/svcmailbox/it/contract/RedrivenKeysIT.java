package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** A key stands for one message, whatever becomes of it. */
@ContractTest
@ResourceLock(SampleCalls.JOBS)
class RedrivenKeysIT {
  private static final byte[] PAYLOAD = {1, 2, -1};
  private static final Fields REPROCESS =
      Fields.of("action", "reprocess").with("filter", Fields.NONE);
  private static final Fields NOTE = Fields.of("note", "a test");

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("keys");
  private final JobLetters letters;

  RedrivenKeysIT(MailboxClient client) throws IOException {
    this.client = client;
    letters = JobLetters.of(client, topic);
  }

  private MailboxAnswer repeat(String key) throws IOException {
    return client.send(letters.message(key));
  }

  /**
   * The messages that there are, by their keys; each key's repeat is a duplicate of its message.
   */
  private Map<String, String> back(int count) throws IOException {
    Map<String, String> ids = new HashMap<>();
    Fields asking = Fields.of("topic", topic).with("visibility_ms", 60_000);
    for (Message message : client.recvAll(asking, count)) {
      assertEquals(null, ids.put(message.idemKey(), message.msgId()), "a key twice");
      MailboxAnswer repeated = repeat(message.idemKey()).expect(200);
      assertTrue(repeated.duplicate());
      assertEquals(message.msgId(), repeated.msgId());
    }
    return ids;
  }

  private JsonNode done(Fields order) throws IOException {
    JsonNode job = letters.over(letters.start(order));
    assertEquals(0, job.path("failed").asInt(), job::toString);
    assertEquals(job.path("total").asInt(), job.path("done").asInt(-1), job::toString);
    return job;
  }

  @Test
  void lettersOfRemovedShardsReturnWithTheirKeys() throws IOException {
    Fields settings = Fields.of("max_attempts", 1);
    client.putTopic(topic, settings.with("ready_shards", 4)).expect(200);
    Set<String> died = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      died.add(letters.dead(letters.message("key-" + i)));
    }
    client.putTopic(topic, settings.with("ready_shards", 1)).expect(200);

    assertEquals(30, done(REPROCESS).path("total").asInt());
    Map<String, String> back = back(30);
    long original = back.values().stream().filter(died::contains).count();
    assertTrue(original > 0 && original < 30, () -> original + " as they were");
    assertEquals(0, letters.count());
  }

  @Test
  void lettersReturnToTheirOwnTopicAsNewMessagesAgainAndAgain() throws IOException {
    letters.dead(3);
    Set<String> known = new HashSet<>(letters.ids());
    for (int times = 0; times < 3; times++) {
      done(REPROCESS.with("to_topic", topic));
      List<Message> messages = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        messages.add(letters.recv());
      }
      for (Message message : messages) {
        assertTrue(known.add(message.msgId()), "a new message");
        assertEquals(message.msgId(), repeat(message.idemKey()).expect(200).msgId());
        letters.refuse(message);
      }
    }
    assertEquals(3, letters.count());
  }

  @Test
  void aLetterIsResentUnderItsOwnKeyAndNoOther() throws IOException {
    String letter = letters.dead(letters.message("own"));
    String other = client.send(letters.message("other")).expect(200).msgId();
    String resend = "/v1/dlq/" + topic + "/" + letter + "/resend";
    MailboxAnswer taken = client.post(resend, NOTE.with("idem_key", "other")).expect(200);
    assertTrue(taken.duplicate(), "another message has that key");
    assertEquals(other, taken.msgId());
    assertEquals(List.of(letter), letters.ids());

    MailboxAnswer sent = client.post(resend, NOTE.with("idem_key", "own")).expect(200);
    assertFalse(sent.duplicate());
    assertNotEquals(letter, sent.msgId());
    assertEquals(List.of(), letters.ids());
    assertEquals(sent.msgId(), repeat("own").expect(200).msgId());
  }

  @Test
  void aFailedLetterSaysWhoseItsKeyIsAndWhatToDo() throws IOException {
    String target = TestTopics.fresh("keys");
    JobLetters.of(client, target);
    letters.dead(letters.message("k"));
    String holder = client.send(Fields.send(target, "k", PAYLOAD)).expect(200).msgId();
    JsonNode job = letters.over(letters.start(REPROCESS.with("to_topic", target)));
    String detail = job.path("errors").get(0).path("detail").asText();
    assertTrue(detail.contains(holder) && detail.contains(target), detail);
    assertTrue(detail.contains("t_replay") && detail.contains("resend"), detail);
  }

  @Test
  void purgedAndDiscardedMessagesKeepTheirKeysAndADeletedTopicDoesNot() throws IOException {
    String purged = client.send(letters.message("purged")).expect(200).msgId();
    client.post("/v1/topics/" + topic + "/purge", Fields.NONE).expect(200);
    String discarded = letters.dead(letters.message("discarded"));
    done(Fields.of("action", "discard").with("filter", Fields.NONE));
    for (Map.Entry<String, String> gone :
        Map.of("purged", purged, "discarded", discarded).entrySet()) {
      MailboxAnswer repeated = repeat(gone.getKey()).expect(200);
      assertTrue(repeated.duplicate());
      assertEquals(gone.getValue(), repeated.msgId());
    }
    assertEquals(0, client.topic(topic).json().path("ready").asInt(-1));

    letters.dead(letters.message("letter"));
    client.deleteTopic(topic).expect(200);
    JobLetters next = JobLetters.of(client, topic);
    for (String key : List.of("purged", "discarded", "letter")) {
      MailboxAnswer sent = client.send(next.message(key)).expect(200);
      assertFalse(sent.duplicate(), key);
      assertEquals(sent.msgId(), next.recv().msgId());
    }
  }
}
