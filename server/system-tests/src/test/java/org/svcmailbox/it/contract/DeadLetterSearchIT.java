package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;

/** Operators find dead letters, see what they have in common, and read one. */
@ContractTest
class DeadLetterSearchIT {
  private static final String SLOW = "connect timed out after 30 ms";
  private static final String SLOWER = "connect timed out after 1500 ms";
  private static final String TWICE = "ORA-00001: unique constraint (SHOP.ORDERS_PK) violated";
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("searched");

  DeadLetterSearchIT(MailboxClient client) throws IOException {
    this.client = client;
    allow(1);
  }

  private void allow(int attempts) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", attempts));
  }

  private Fields message(String idemKey) {
    return Fields.send(topic, idemKey, new byte[] {1, 2, -1});
  }

  private Fields asking() {
    return Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000);
  }

  private Message recv() throws IOException {
    return client.recv(asking()).expect(200).message();
  }

  private void refuse(Message message, String why) throws IOException {
    client.nack(message, Fields.of("reason", why).with("delay_ms", 0)).expect(200);
  }

  /** Sends a message that dies of its first delivery. */
  private String dead(Fields message, String why) throws IOException {
    client.send(message).expect(200);
    Message held = recv();
    refuse(held, why);
    return held.msgId();
  }

  private JsonNode look(String what) throws IOException {
    return client.get("/v1/dlq/" + topic + what).expect(200).json();
  }

  private static List<String> ids(JsonNode page) {
    return page.path("letters").findValuesAsText("msg_id");
  }

  private List<String> found(String query) throws IOException {
    return ids(look("?" + query));
  }

  @Test
  void everyFilterFindsWhatItMeans() throws IOException {
    Fields attrs = Fields.of("colour", "red");
    String a =
        dead(message("key a").with("corr_id", "1").with("attrs", attrs.with("size", "1")), SLOW);
    String b = dead(message("key b").with("attrs", attrs.with("size", "a=b")), SLOWER);
    allow(2);
    client.send(message("key c")).expect(200);
    refuse(recv(), "for another reason");
    Message twice = recv();
    refuse(twice, TWICE);
    String c = twice.msgId();
    List<String> every = List.of(c, b, a);
    JsonNode letters = look("").path("letters");

    Map<String, List<String>> expected = new TreeMap<>();
    expected.put("", every);
    expected.put("reason=max_attempts", every);
    expected.put("reason=expired", List.of());
    expected.put("fingerprint=" + letters.get(0).path("fingerprint").asText(), List.of(c));
    expected.put("fingerprint=" + letters.get(1).path("fingerprint").asText(), List.of(b, a));
    expected.put(
        "fingerprint=" + String.join("&fingerprint=", letters.findValuesAsText("fingerprint")),
        every);
    expected.put("attempt=1", List.of(b, a));
    expected.put("attempt=2", List.of(c));
    expected.put("idem_key=key+a", List.of(a));
    expected.put("idem_key=key", List.of());
    expected.put("corr_id=1", List.of(a));
    expected.put("attr=colour=red", List.of(b, a));
    expected.put("attr=colour=red&attr=size=1", List.of(a));
    expected.put("attr=size=a=b", List.of(b));
    expected.put("attr=colour=re", List.of());
    expected.put("q=connect", List.of(b, a));
    expected.put("q=conn*", List.of(b, a));
    expected.put("q=TIMED%20150*", List.of(b));
    expected.put("q=timed+150", List.of());
    expected.put("q=shop.orders*+ora", List.of(c));
    expected.put("q=nect*", List.of());
    expected.put("q=another", List.of());
    expected.put("q=out&attr=size=1&attempt=1&reason=max_attempts", List.of(a));
    expected.put("q=out&attempt=2", List.of());
    for (JsonNode letter : letters) {
      String at = letter.path("dead_at").asText();
      expected.put("since=" + at, died(letters, at, true));
      expected.put("until=" + at, died(letters, at, false));
      expected.put("q=connect&since=" + at + "&until=" + at, List.of());
    }
    for (Map.Entry<String, List<String>> each : expected.entrySet()) {
      assertEquals(each.getValue(), found(each.getKey()), each.getKey());
    }
  }

  /** The letters that died at a time or later, or else before. */
  private static List<String> died(JsonNode letters, String at, boolean isLater) {
    List<String> found = new ArrayList<>();
    for (JsonNode letter : letters) {
      Instant died = Instant.parse(letter.path("dead_at").asText());
      if (died.isBefore(Instant.parse(at)) != isLater) {
        found.add(letter.path("msg_id").asText());
      }
    }
    return found;
  }

  @Test
  void pagesHaveEveryLetterOnce() throws IOException {
    List<String> newestFirst = new ArrayList<>();
    List<String> even = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      Fields attrs = Fields.of("parity", Integer.toString(i % 2));
      String id = dead(message("key" + i).with("attrs", attrs), SLOW);
      newestFirst.add(0, id);
      if (i % 2 == 0) {
        even.add(0, id);
      }
    }
    assertEquals(List.of(newestFirst), pages("limit=25"));
    assertEquals(List.of(newestFirst), pages("limit=26"));
    assertEquals(List.of(newestFirst), pages(""));
    assertPages(List.of(7, 7, 7, 4), newestFirst, pages("limit=7"));
    assertPages(List.of(5, 5, 5, 5, 5), newestFirst, pages("limit=5&q=timed"));
    assertPages(List.of(5, 5, 3), even, pages("limit=5&attr=parity=0"));

    JsonNode first = look("?limit=20");
    dead(message("later"), SLOW);
    JsonNode second = look("?limit=20&cursor=" + first.path("next_cursor").asText());
    assertEquals(newestFirst.subList(20, 25), ids(second));
  }

  private List<List<String>> pages(String query) throws IOException {
    List<List<String>> pages = new ArrayList<>();
    JsonNode page = look("?" + query);
    pages.add(ids(page));
    while (page.has("next_cursor")) {
      page = look("?" + query + "&cursor=" + page.path("next_cursor").asText());
      pages.add(ids(page));
    }
    return pages;
  }

  private static void assertPages(List<Integer> sizes, List<String> all, List<List<String>> pages) {
    assertEquals(sizes, pages.stream().map(List::size).toList());
    assertEquals(all, pages.stream().flatMap(List::stream).toList());
  }

  @Test
  void lettersOfOneCauseAreOneGroup() throws IOException {
    dead(message("1"), SLOW);
    dead(message("2"), TWICE);
    dead(message("3"), SLOW);
    dead(message("4").with("attrs", Fields.of("colour", "red")), SLOWER);
    JsonNode letters = look("").path("letters");

    JsonNode groups = look("/groups").path("groups");
    assertEquals(2, groups.size());
    JsonNode largest = groups.get(0);
    assertEquals(3, largest.path("count").asInt());
    assertEquals("{\"max_attempts\":3}", largest.path("reasons").toString());
    assertEquals("connect timed out after # ms", largest.path("pattern").asText());
    assertEquals(SLOWER, largest.path("sample").asText());
    assertEquals(letters.get(0).path("fingerprint"), largest.path("fingerprint"));
    assertEquals(letters.get(0).path("dead_at"), largest.path("last_seen"));
    assertEquals(letters.get(3).path("dead_at"), largest.path("first_seen"));
    assertEquals(1, groups.get(1).path("count").asInt());
    assertEquals(TWICE, groups.get(1).path("sample").asText());

    JsonNode red = look("/groups?attr=colour=red").path("groups");
    assertEquals(1, red.size());
    assertEquals(1, red.get(0).path("count").asInt());
    assertEquals(0, look("/groups?reason=integrity").path("groups").size());
  }

  @Test
  void anErrorIsOneGroupWhateverTheReasonButItsCodeMakesAnother() throws IOException {
    dead(message("1"), "POST /orders/17: HTTP 503");
    dead(message("2"), "POST /orders/18: HTTP 503");
    dead(message("3"), "POST /orders/19: HTTP 404");
    client.send(message("4")).expect(200);
    Message held = recv();
    client
        .nack(held, Fields.of("reason", "POST /orders/20: HTTP 503").with("dead_letter", true))
        .expect(200);

    JsonNode groups = look("/groups").path("groups");
    assertEquals(
        List.of("POST /orders/#: HTTP 503", "POST /orders/#: HTTP 404"),
        groups.findValuesAsText("pattern"));
    assertEquals("{\"max_attempts\":2,\"rejected\":1}", groups.get(0).path("reasons").toString());
    String both = String.join("&fingerprint=", groups.findValuesAsText("fingerprint"));
    assertEquals(4, found("fingerprint=" + both).size());
    assertEquals(1, found("fingerprint=" + both + "&reason=rejected").size());
    assertEquals(2, look("/groups?fingerprint=" + both).path("groups").size());
  }

  @Test
  void aLetterIsReadWithItsPayloadAndAllThatHappenedToIt() throws IOException {
    allow(3);
    MailboxAnswer mintedFirst = mint();
    MailboxAnswer mintedSecond = mint();
    MailboxClient first = with(mintedFirst);
    client
        .withHeaders(Map.of("traceparent", PARENT))
        .send(message("key").with("attrs", Fields.of("colour", "red")).with("sig", "signed"))
        .expect(200);
    Message one = first.recv(asking()).expect(200).message();
    first.nack(one, Fields.of("reason", "no room").with("delay_ms", 0)).expect(200);
    with(mintedSecond).recv(asking().with("visibility_ms", 250)).expect(200).message();
    Message three = first.recv(asking()).expect(200).message();
    assertEquals(3, three.attempt());
    first.nack(three, Fields.of("reason", "still no room")).expect(200);

    JsonNode letter = look("/" + one.msgId());
    for (String field :
        List.of(
            "msg_id",
            "topic",
            "ts",
            "idem_key",
            "payload_hash",
            "attrs",
            "corr_id",
            "shard",
            "seq",
            "attempt",
            "hash_chain",
            "sig",
            "traceparent",
            "payload")) {
      assertFalse(letter.path(field).isMissingNode(), field);
      assertEquals(three.json().path(field), letter.path(field), field);
    }
    assertArrayEquals(new byte[] {1, 2, -1}, letter.path("payload").binaryValue());
    assertEquals(3, letter.path("payload_bytes").asInt());
    assertEquals("{\"seq\":1,\"status\":\"intact\"}", letter.path("ledger").toString());
    assertEquals("still no room", letter.path("last_error").asText());
    assertEquals(0, letter.path("reprocessed").asInt(-1));
    assertEquals(0, letter.path("history_dropped").asInt(-1));
    Instant died = Instant.parse(letter.path("dead_at").asText());
    Instant end = Instant.parse(letter.path("expires_at").asText());
    assertTrue(Duration.between(died, end).minus(Duration.ofDays(14)).abs().toMinutes() < 1);

    JsonNode history = letter.path("history");
    assertEquals(List.of("nacked", "expired", "nacked"), history.findValuesAsText("event"));
    assertEquals(List.of("1", "2", "3"), history.findValuesAsText("attempt"));
    assertEquals("no room", history.get(0).path("note").asText());
    assertFalse(history.get(1).path("note").asText().isEmpty());
    assertEquals("still no room", history.get(2).path("note").asText());
    assertEquals(
        List.of(name(mintedFirst), name(mintedSecond), name(mintedFirst)),
        history.findValuesAsText("by"));
    List<Instant> times = history.findValuesAsText("at").stream().map(Instant::parse).toList();
    assertEquals(times.stream().sorted().toList(), times);

    JsonNode listed = look("").path("letters").get(0);
    listed
        .properties()
        .forEach(field -> assertEquals(field.getValue(), letter.get(field.getKey())));
    assertFalse(listed.has("payload") || listed.has("history"));
  }

  private MailboxAnswer mint() throws IOException {
    Fields request = Fields.of("caveats", List.of()).with("expires_in", "1h");
    return client.post("/v1/capabilities", request).expect(201);
  }

  private MailboxClient with(MailboxAnswer minted) {
    return client.with(minted.json().path("capability").asText());
  }

  /** A capability as histories write it. */
  private static String name(MailboxAnswer minted) {
    return minted.json().path("key_id").asText() + ":" + minted.json().path("nonce").asText();
  }

  @Test
  void whatIsNoLetterOfATopicIsNotFound() throws IOException {
    String dead = dead(message("dead"), SLOW);
    String ready = client.send(message("ready")).expect(200).msgId();
    String other = TestTopics.fresh("other");
    client.putTopic(other, Fields.NONE).expect(201);
    String unknown = TestTopics.fresh("unknown");
    for (String path :
        List.of(
            topic + "/" + ready,
            topic + "/" + Requests.MSG_ID,
            other + "/" + dead,
            unknown,
            unknown + "/groups",
            unknown + "/" + dead)) {
      assertEquals("E_NOT_FOUND", client.get("/v1/dlq/" + path).expect(404).code(), path);
    }
    assertEquals(dead, look("/" + dead).path("msg_id").asText());
    assertEquals(List.of(), ids(client.get("/v1/dlq/" + other).expect(200).json()));
    client.deleteTopic(topic).expect(200);
    client.get("/v1/dlq/" + topic + "/" + dead).expect(404);
  }

  @Test
  void whatIsBadIsNamedAndChangesNothing() throws IOException {
    String id = dead(message("key"), SLOW);
    JsonNode before = look("/" + id);
    String nine =
        String.join("&", IntStream.range(0, 9).mapToObj(i -> "attr=k" + i + "=v").toList());
    Map<String, String> bad = new TreeMap<>();
    bad.put("?reason=poison", "reason");
    bad.put("?fingerprint=XYZ", "fingerprint");
    bad.put("?fingerprint=8d713ae85b01a32b", "fingerprint");
    bad.put("?" + "&fingerprint=2000000000000000".repeat(21).substring(1), "fingerprint");
    bad.put("?since=yesterday", "since");
    bad.put("?until=2026-11-22", "until");
    bad.put("?attempt=-1", "attempt");
    bad.put("?idem_key=", "idem_key");
    bad.put("?corr_id=" + "c".repeat(129), "corr_id");
    bad.put("?attr=colour", "attr");
    bad.put("?" + nine, "attr");
    bad.put("?q=%22%27%2A", "q");
    bad.put("?q=a+b+c+d+e+f+g+h+i", "q");
    bad.put("?limit=101", "limit");
    bad.put("?cursor=" + id, "cursor");
    bad.put("?q=a&q=b", "q");
    bad.put("?offset=1", "offset");
    bad.put("/groups?limit=1", "limit");
    bad.put("/groups?reason=", "reason");
    bad.put("/" + id + "?limit=1", "limit");
    bad.put("/nothing", "msg_id");
    Map<String, String> named = new TreeMap<>();
    for (String path : bad.keySet()) {
      MailboxAnswer refused = client.get("/v1/dlq/" + topic + path).expect(400);
      assertEquals("E_SCHEMA", refused.code());
      named.put(path, String.join(",", refused.fields()));
    }
    assertEquals(bad, named);
    assertEquals(before, look("/" + id));
    assertEquals(List.of(id), found(""));
  }

  @Test
  void wordsAreOnlyEverWords() throws IOException {
    String id = dead(message("key"), "a' OR 1=1 -- \" * AND NOT (near)");
    for (String query :
        List.of("OR", "NOT+near", "a%27+OR+1%3D1+--", "%22*+AND+NOT+%28", "NEAR%28a%2C1%29*")) {
      assertEquals(List.of(id), found("q=" + query), query);
    }
    for (String query : List.of("a+OR+missing", "nea+NOT", "%2A+nothing", "topic%3Ax")) {
      assertEquals(List.of(), found("q=" + query), query);
    }
  }

  @Test
  void anErrorMaySayAnything() throws IOException {
    String why =
        "zero \u0000, \u202E right to left,\r\n\tGrüße an 東京 \uD83D\uDE80 ' \" \\ </script>";
    String id = dead(message("key"), why);
    assertEquals(List.of(id), found("q=right+gr%C3%BC%C3%9Fe+%E6%9D%B1%E4%BA%AC"));
    assertEquals(why, look("").path("letters").get(0).path("last_error").asText());
    assertEquals(why, look("/groups").path("groups").get(0).path("sample").asText());
    assertEquals(why, look("/" + id).path("history").get(0).path("note").asText());
  }

  @Test
  void lookingNeedsTheRight() throws IOException {
    String id = dead(message("key"), SLOW);
    MailboxClient peeking = client.with(client.mint("ops = send,recv,ack,nack,extend,peek,admin"));
    MailboxClient looking = client.with(client.mint("ops = dlq", "topic = " + topic));
    for (String path : List.of("", "/groups", "/" + id)) {
      assertEquals("operation", peeking.get("/v1/dlq/" + topic + path).expect(403).reason());
      looking.get("/v1/dlq/" + topic + path).expect(200);
    }
  }
}
