package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.test.history.Event;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.History;

/** The SENDs of a history that were answered with a message's id. */
final class AnsweredSends {
  private static final int BATCH = 100;

  /** No message of a load has this one. */
  private static final byte[] OTHER_PAYLOAD = new byte[1];

  private final Map<String, Map<String, String>> idsByTopic = new TreeMap<>();

  private AnsweredSends() {}

  static AnsweredSends of(History history) {
    AnsweredSends answered = new AnsweredSends();
    for (Event event : history.events()) {
      if (event instanceof Event.Send send && send.accepted() != null) {
        MessageKey key = send.key();
        answered
            .idsByTopic
            .computeIfAbsent(key.topic(), topic -> new TreeMap<>())
            .put(key.idemKey(), send.accepted().msgId());
      }
    }
    return answered;
  }

  /** The id of every message that a history names. */
  static Set<String> everyId(History history) {
    Set<String> ids = new HashSet<>();
    for (Event event : history.events()) {
      if (event instanceof Event.Send send && send.accepted() != null) {
        ids.add(send.accepted().msgId());
      } else if (event instanceof Event.Recv recv) {
        recv.handed().forEach(handed -> ids.add(handed.msgId()));
      }
    }
    return ids;
  }

  /** How many keys were sent. */
  int size() {
    return idsByTopic.values().stream().mapToInt(Map::size).sum();
  }

  /**
   * No key takes another payload, and each names its message. Within the keys' window.
   *
   * @param label says which run this is, when something goes wrong
   */
  void assertStillTaken(MailboxClient client, String label) throws IOException {
    for (Map.Entry<String, Map<String, String>> topic : idsByTopic.entrySet()) {
      List<String> keys = List.copyOf(topic.getValue().keySet());
      for (int first = 0; first < keys.size(); first += BATCH) {
        List<String> some = keys.subList(first, Math.min(keys.size(), first + BATCH));
        List<String> expected = some.stream().map(topic.getValue()::get).toList();
        assertEquals(expected, holders(client, topic.getKey(), some), label);
      }
    }
  }

  /** The ids of the messages that have taken these keys. */
  private static List<String> holders(MailboxClient client, String topic, List<String> keys)
      throws IOException {
    List<Fields> messages =
        keys.stream().map(key -> Fields.send(topic, key, OTHER_PAYLOAD)).toList();
    List<String> holders = new ArrayList<>();
    for (JsonNode result : client.sendBatch(messages).expect(200).results()) {
      JsonNode error = result.path("error");
      boolean isTaken = error.path("code").asText().equals("E_DUPLICATE");
      holders.add(isTaken ? error.path("msg_id").asText() : result.toString());
    }
    return holders;
  }
}
