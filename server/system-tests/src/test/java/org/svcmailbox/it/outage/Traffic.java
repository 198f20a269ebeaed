package org.svcmailbox.it.outage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** One producer's and one consumer's calls on a topic, and what came of them. */
final class Traffic {
  private static final byte[] PAYLOAD = new byte[100];

  /** Hundreds of messages, one after the other. */
  private static final Duration SETTLED = Duration.ofMinutes(3);

  private MailboxClient client;
  private final String topic = TestTopics.fresh("outage");

  /** Answers of SENDs, by key. */
  private final Map<String, String> ids = new HashMap<>();

  private final Set<String> unsent = new TreeSet<>();
  private final Set<String> acknowledged = new TreeSet<>();
  private final List<String> unexpected = new ArrayList<>();
  private String lastRefusal = "";
  private int keys;

  Traffic(MailboxClient client) {
    this.client = client;
  }

  /** Goes on with a capability that has just been verified, which is believed for a while. */
  void renew() throws IOException {
    client = client.with(client.mint());
    client.topic(topic).expect(200);
  }

  /** Sends a message under a new key, and returns how long the answer took. */
  Duration send() throws IOException {
    return send("key-" + keys++);
  }

  private Duration send(String key) throws IOException {
    long begun = System.nanoTime();
    MailboxAnswer answer = client.send(topic, key, PAYLOAD);
    if (answer.status() == 200) {
      unsent.remove(key);
      ids.put(key, answer.msgId());
    } else {
      expectAway(answer);
      unsent.add(key);
    }
    return since(begun);
  }

  /** Repeats the first SEND. */
  MailboxAnswer repeatFirst() throws IOException {
    return client.send(topic, "key-0", PAYLOAD);
  }

  /** Repeats the last SEND. */
  MailboxAnswer repeatLast() throws IOException {
    return client.send(topic, "key-" + (keys - 1), PAYLOAD);
  }

  /** Receives a message and acknowledges it, and returns how long both answers took. */
  Duration receive() throws IOException {
    long begun = System.nanoTime();
    Fields one = Fields.of("topic", topic).with("visibility_ms", 10_000);
    MailboxAnswer answer = client.recv(one);
    if (answer.status() == 200) {
      for (Message message : answer.messages()) {
        acknowledge(message);
      }
    } else {
      expectAway(answer);
    }
    return since(begun);
  }

  private void acknowledge(Message message) throws IOException {
    if (acknowledged.contains(message.msgId())) {
      unexpected.add(message.msgId() + " came again after its ACK");
    }
    if (!message.msgId().equals(ids.getOrDefault(message.idemKey(), message.msgId()))) {
      unexpected.add(message.idemKey() + " is two messages");
    }
    ids.put(message.idemKey(), message.msgId());
    MailboxAnswer answer = client.ack(message);
    if (answer.status() == 200) {
      acknowledged.add(message.msgId());
    } else {
      expectAway(answer);
    }
  }

  /** SENDs that were answered with a message's id. */
  int sent() {
    return ids.size();
  }

  /** The reason of the last refusal; empty if there was none or it gave none. */
  String lastRefusal() {
    return lastRefusal;
  }

  /** ACKs that were answered. */
  int acknowledged() {
    return acknowledged.size();
  }

  /**
   * Repeats what was refused, receives all there is, and finds each message once, in queue and
   * ledger.
   */
  void settle() throws IOException {
    for (String key : List.copyOf(unsent)) {
      send(key);
    }
    assertEquals(Set.of(), unsent, "still refused");
    Deadline deadline = Deadline.in(SETTLED);
    while (acknowledged.size() < keys && !deadline.isOver()) {
      receive();
    }
    assertEquals(keys, acknowledged.size(), "messages acknowledged");
    assertTrue(acknowledged.containsAll(ids.values()), "one that was answered is lost");
    assertEquals(List.of(), unexpected);
    long left = client.topic(topic).expect(200).json().path("ready").asLong();
    assertEquals(0, left, "more messages than keys");
    assertEquals(keys, ledgerEntries(), "entries of intact ledgers");
    assertTrue(repeatLast().expect(200).duplicate(), "the key of the last SEND");
  }

  private long ledgerEntries() throws IOException {
    int shards = client.topic(topic).expect(200).json().path("ready_shards").asInt();
    long entries = 0;
    for (int shard = 0; shard < shards; shard++) {
      entries += client.verify(topic, shard).path("intact_up_to").asLong(-keys);
    }
    return entries;
  }

  private void expectAway(MailboxAnswer answer) {
    lastRefusal = answer.reason();
    boolean isAway = answer.status() == 503 && answer.code().equals("E_UNAVAILABLE");
    if (!isAway || answer.header("retry-after").isEmpty()) {
      unexpected.add(answer.status() + " " + answer.text());
    }
  }

  private static Duration since(long begun) {
    return Duration.ofNanos(System.nanoTime() - begun);
  }
}
