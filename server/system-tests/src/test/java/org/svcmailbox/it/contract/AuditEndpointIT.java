package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;

/** Operators export what operators did. */
@ContractTest
class AuditEndpointIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Fields MINT = Fields.of("caveats", List.of()).with("expires_in", "1m");

  private static final String NAME = "on-call \u20ac";

  private final MailboxClient operator;
  private final String topic = TestTopics.fresh("audited");

  AuditEndpointIT(MailboxClient operator) {
    this.operator = operator;
  }

  private List<JsonNode> export(String query) throws IOException {
    MailboxAnswer answer = operator.get("/v1/audit?" + query).expect(200);
    assertEquals("application/x-ndjson", answer.header("Content-Type").orElse(""));
    List<JsonNode> rows = new ArrayList<>();
    for (String line : answer.text().lines().toList()) {
      rows.add(MAPPER.readTree(line));
    }
    return rows;
  }

  private static List<String> texts(List<JsonNode> rows, String field) {
    return rows.stream().map(row -> row.path(field).asText()).toList();
  }

  private static long last(List<JsonNode> rows, long before) {
    return rows.isEmpty() ? before : rows.get(rows.size() - 1).path("no").asLong();
  }

  /** The number of the last entry. */
  private long end() throws IOException {
    long end = 0;
    List<JsonNode> page = export("limit=10000");
    while (!page.isEmpty()) {
      end = last(page, end);
      page = export("limit=10000&after=" + end);
    }
    return end;
  }

  private void pauseOften(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      operator.post("/v1/topics/" + topic + "/pause", Fields.NONE).expect(200);
    }
  }

  @Test
  void whatWasDoneIsThereAndIsFoundByWhatItWas() throws IOException {
    long before = end();
    Instant begun = Instant.now().minusSeconds(5);
    MailboxAnswer minted = operator.post("/v1/capabilities", MINT.with("note", NAME)).expect(201);
    String nonce = minted.json().path("nonce").asText();
    MailboxClient other = operator.with(minted.json().path("capability").asText());
    other.putTopic(topic, Fields.of("max_attempts", 3)).expect(201);
    other.post("/v1/topics/" + topic + "/pause", Fields.NONE).expect(200);
    other.post("/v1/topics/" + topic + "/purge", Fields.NONE).expect(200);
    other.deleteTopic(topic).expect(200);

    String mine = "after=" + before;
    List<JsonNode> ofTheTopic = export(mine + "&subject=" + topic);
    List<String> actions = List.of("topic.put", "topic.pause", "topic.purge", "topic.delete");
    assertEquals(actions, texts(ofTheTopic, "action"));
    for (JsonNode row : ofTheTopic) {
      assertEquals(minted.json().path("key_id").asText() + ":" + nonce, row.path("actor").asText());
      assertEquals(NAME, row.path("actor_name").asText());
      assertEquals("127.0.0.1", row.path("address").asText());
      assertTrue(row.path("at").asText().matches("2.*T.*\\.\\d{3}Z"), row::toString);
      assertFalse(Instant.parse(row.path("at").asText()).isBefore(begun), row::toString);
    }
    assertTrue(ofTheTopic.get(0).path("note").asText().contains("3"));

    Map<String, List<String>> expected = new TreeMap<>();
    String ours = "&subject=" + topic;
    expected.put("action=topic.*" + ours, actions);
    expected.put("action=topic.pu*" + ours, List.of("topic.put", "topic.purge"));
    expected.put("action=topic.pause" + ours, List.of("topic.pause"));
    expected.put("action=topic.p" + ours, List.of());
    expected.put("action=topic_*" + ours, List.of());
    expected.put("action=capability.*" + ours, List.of());
    expected.put("action=capability.mint&subject=" + nonce, List.of("capability.mint"));
    expected.put("since=" + begun + ours, actions);
    expected.put("until=" + begun + ours, List.of());
    expected.put("since=2126-01-01T00:00:00Z" + ours, List.of());
    expected.put("limit=2" + ours, actions.subList(0, 2));
    expected.put("actor_name=on-call+%E2%82%AC" + ours, actions);
    expected.put("actor_name=on-call" + ours, List.of());
    for (Map.Entry<String, List<String>> each : expected.entrySet()) {
      assertEquals(
          each.getValue(), texts(export(mine + "&" + each.getKey()), "action"), each::toString);
    }
  }

  @Test
  void readingIsNotAudited() throws IOException {
    MailboxAnswer minted = operator.post("/v1/capabilities", MINT).expect(201);
    MailboxClient reader = operator.with(minted.json().path("capability").asText());
    long before = end();
    assertFalse(reader.get("/v1/audit?limit=1").expect(200).text().isEmpty());
    reader.putTopic(topic, Fields.NONE).expect(201);
    assertEquals("", reader.get("/v1/audit?after=" + Long.MAX_VALUE).expect(200).text());
    String nonce = minted.json().path("nonce").asText();
    List<JsonNode> done =
        export("after=" + before).stream()
            .filter(row -> row.path("actor").asText().endsWith(":" + nonce))
            .toList();
    assertEquals(List.of("topic.put"), texts(done, "action"));
  }

  @Test
  void pagesHaveEveryEntryOnceAlsoWhileOthersAreWritten() throws Exception {
    operator.putTopic(topic, Fields.NONE).expect(201);
    int writers = 3;
    int each = 20;
    String query = "limit=7&action=topic.pause&subject=" + topic;
    List<JsonNode> read = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        writing.add(
            threads.submit(
                () -> {
                  pauseOften(each);
                  return null;
                }));
      }
      long after = 0;
      boolean isOver = false;
      while (!isOver) {
        boolean areDone = writing.stream().allMatch(Future::isDone);
        List<JsonNode> page = export(query + "&after=" + after);
        read.addAll(page);
        after = last(page, after);
        isOver = areDone && page.isEmpty();
      }
      for (Future<?> one : writing) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(writers * each, read.size());
    List<Long> numbers = read.stream().map(row -> row.path("no").asLong()).toList();
    assertEquals(numbers.stream().distinct().sorted().toList(), numbers);
    assertEquals(read, export("limit=10000&action=topic.pause&subject=" + topic));
  }

  @Test
  void onlyWhoMayDoAnythingToAnyTopicReadsIt() throws IOException {
    MailboxClient client = operator.with(operator.mint("ops = send,recv,ack,nack,extend,peek,dlq"));
    assertEquals("operation", client.get("/v1/audit").expect(403).reason());
    MailboxClient ofOneTopic = operator.with(operator.mint("topic = " + topic));
    MailboxAnswer denied = ofOneTopic.get("/v1/audit?subject=" + topic).expect(403);
    assertEquals("topic", denied.reason());
    assertEquals("E_CAP_SCOPE", denied.code());
    operator.with(operator.mint("ops = admin")).get("/v1/audit?limit=1").expect(200);
  }

  @Test
  void whatIsBadIsNamed() throws IOException {
    Map<String, String> bad = new TreeMap<>();
    bad.put("since=yesterday", "since");
    bad.put("until=2026-11-22", "until");
    bad.put("action=", "action");
    bad.put("action=%25", "action");
    bad.put("action=*.put", "action");
    bad.put("subject=", "subject");
    bad.put("subject=%20", "subject");
    bad.put("after=-1", "after");
    bad.put("limit=0", "limit");
    bad.put("limit=10001", "limit");
    bad.put("limit=1&limit=1", "limit");
    bad.put("cursor=1", "cursor");
    Map<String, String> named = new TreeMap<>();
    for (String query : bad.keySet()) {
      MailboxAnswer refused = operator.get("/v1/audit?" + query).expect(400);
      assertEquals("E_SCHEMA", refused.code());
      named.put(query, String.join(",", refused.fields()));
    }
    assertEquals(bad, named);
  }
}
