package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;

/** Every malformed request is refused, names its field, and leaves nothing behind. */
@ContractTest
class SchemaIT {
  /** JSON values that are no strings, and that are no whole numbers. */
  private static final List<Object> NO_STRINGS = List.of(7, true, List.of(), Fields.NONE);

  private static final List<Object> NO_NUMBERS =
      List.of("7", true, 1.5, List.of(), Fields.NONE, "");

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("schema");

  SchemaIT(MailboxClient client) {
    this.client = client;
  }

  /** One spoiled request and the field its refusal must name. */
  private record Spoiled(String path, Fields body, String field) {}

  @Test
  void sendIsStrict() throws IOException {
    Fields good = Requests.send(topic);
    List<Spoiled> all = new ArrayList<>();
    Map<String, List<Object>> values = new TreeMap<>();
    values.put("topic", strings("", "a b", "ä", "a/b", "x".repeat(256)));
    values.put("idem_key", strings("", "x".repeat(256)));
    values.put("payload", strings("###", "abc", "QQ", "QUJD=", "QU JD", "QR==", "_-8="));
    values.put("corr_id", strings("", "x".repeat(129)));
    values.put("shard_key", strings("", "x".repeat(256)));
    values.put("sig", strings("", "x".repeat(1025)));
    values.put("delay_ms", numbers(-1, 604_800_001L));
    values.put("ttl_ms", numbers(-1, 0, 31_536_000_001L));
    values.forEach((field, bad) -> bad.forEach(value -> all.add(send(good, field, value))));
    Stream.of("topic", "idem_key", "payload")
        .forEach(field -> all.add(new Spoiled("/v1/send", good.without(field), field)));
    badAttributes().forEach(value -> all.add(send(good, "attrs", value)));
    assertRefused(all);
    assertNothingStored();
  }

  @Test
  void aBatchIsStrictAboutEachOfItsMessages() throws IOException {
    Fields good = Requests.send(topic);
    String path = "/v1/send/batch";
    List<Spoiled> all = new ArrayList<>();
    all.add(new Spoiled(path, Fields.NONE, "messages"));
    all.add(batch("messages", List.of()));
    all.add(batch("messages", Collections.nCopies(101, good)));
    all.add(batch("messages", "none"));
    all.add(batch("messages[1].topic", List.of(good, good.with("topic", ""))));
    all.add(batch("messages[1].payload", List.of(good, good.with("payload", "###"))));
    all.add(batch("messages[0].idem_key", List.of(good.without("idem_key"))));
    all.add(batch("messages[0].surprise", List.of(good.with("surprise", 1))));
    all.add(batch("messages[1].delay_ms", List.of(good, good.with("delay_ms", "5"))));
    all.add(batch("messages[0]", List.of("text")));
    all.add(batch("messages[0].traceparent", List.of(good.with("traceparent", "00-x"))));
    all.add(batch("messages[0].traceparent", List.of(good.with("tracestate", "a=1"))));
    assertRefused(all);
    assertNothingStored();
  }

  @Test
  void recvIsStrict() throws IOException {
    Map<String, List<Object>> values = new TreeMap<>();
    values.put("topic", strings("", "a b", "x".repeat(256)));
    values.put("visibility_ms", numbers(-1, 0, 249, 43_200_001));
    values.put("max_messages", numbers(-1, 0, 101, 5_000_000_000L));
    values.put("max_bytes", numbers(-1, 0));
    values.put("wait_ms", numbers(-1, 30_001));
    values.put("shard", numbers(-1));
    Fields good = Requests.recv(topic);
    List<Spoiled> all = spoil("/v1/recv", good, values);
    all.add(new Spoiled("/v1/recv", good.without("topic"), "topic"));
    assertRefused(all);
  }

  @Test
  void settlingIsStrict() throws IOException {
    List<Spoiled> all = new ArrayList<>();
    for (String path : List.of("/v1/ack", "/v1/nack", "/v1/extend")) {
      Fields good = Requests.posts(topic).getOrDefault(path, Fields.NONE);
      Map<String, List<Object>> values = new TreeMap<>();
      values.put("msg_id", strings("", "nonsense", "01arz3ndektsv4rrffq69g5fav"));
      values.put("receipt", strings("", "x".repeat(65), "no spaces"));
      all.addAll(spoil(path, good, values));
      all.add(new Spoiled(path, good.without("msg_id"), "msg_id"));
    }
    all.addAll(
        spoil(
            "/v1/nack",
            Requests.settle(),
            Map.of("reason", strings("x".repeat(1025)), "delay_ms", numbers(-1, 604_800_001L))));
    all.addAll(
        spoil(
            "/v1/extend",
            Requests.settle(),
            Map.of("visibility_ms", numbers(-1, 0, 249, 43_200_001))));
    all.add(new Spoiled("/v1/extend", Requests.settle(), "visibility_ms"));
    assertRefused(all);
  }

  @Test
  void batchesOfSettlementsAreStrictAboutEachOfThem() throws IOException {
    assertStrict("/v1/ack/batch", "acks", Requests.settle());
    assertStrict("/v1/nack/batch", "nacks", Requests.settle());
    assertStrict("/v1/extend/batch", "extends", Requests.extend());
  }

  private void assertStrict(String path, String field, Fields good) throws IOException {
    assertRefused(
        List.of(
            new Spoiled(path, Fields.NONE, field),
            new Spoiled(path, Fields.of(field, List.of()), field),
            new Spoiled(path, Fields.of(field, Collections.nCopies(101, good)), field),
            new Spoiled(path, Fields.of(field, 5), field),
            new Spoiled(
                path,
                Fields.of(field, List.of(good, good.without("msg_id"))),
                field + "[1].msg_id"),
            new Spoiled(
                path, Fields.of(field, List.of(good.with("receipt", 5))), field + "[0].receipt"),
            new Spoiled(
                path,
                Fields.of(field, List.of(good.with("surprise", 5))),
                field + "[0].surprise")));
  }

  @Test
  void aRejectionSaysWhyAndNotWhen() throws IOException {
    Fields reject = Requests.settle().with("dead_letter", true);
    assertRefused(
        List.of(
            new Spoiled("/v1/nack", reject, "reason"),
            new Spoiled("/v1/nack", reject.with("reason", ""), "reason"),
            new Spoiled("/v1/nack", reject.with("reason", "x".repeat(1025)), "reason"),
            new Spoiled("/v1/nack", reject.with("reason", "no").with("delay_ms", 0), "delay_ms"),
            new Spoiled("/v1/nack", Requests.settle().with("dead_letter", "yes"), "dead_letter")));
  }

  @Test
  void unknownFieldsAreRefusedEverywhere() throws IOException {
    List<Spoiled> all = new ArrayList<>();
    Requests.posts(topic)
        .forEach((path, good) -> all.add(new Spoiled(path, good.with("surprise", 1), "surprise")));
    assertRefused(all);
    assertNothingStored();
  }

  @Test
  void topicSettingsAreStrict() throws IOException {
    Map<String, List<Object>> values = new TreeMap<>();
    values.put("ready_shards", numbers(-1, 0, 257));
    values.put("shard_capacity", numbers(-1, 0, 1_000_001));
    values.put("max_attempts", numbers(-1, 0, 1_001));
    List<Object> durations = strings("", "soon", "5", "-5s", "999ms", "366d");
    values.put("t_replay", durations);
    values.put("retention_ready", durations);
    values.put("retention_dlq", durations);
    values.put("default_visibility", strings("", "soon", "249ms", "13h"));
    values.put("backoff_base", strings("", "soon", "0ms", "2h"));
    values.put("backoff_max", strings("", "soon", "0ms", "13h"));
    values.put("surprise", List.of(1));
    List<Spoiled> all = spoil("/v1/topics/" + topic, Fields.NONE, values);
    for (Spoiled one : all) {
      MailboxAnswer answer = client.putTopic(topic, one.body());
      assertRefused(one, answer);
    }
    assertEquals(404, client.topic(topic).status());
  }

  @Test
  void aTopicsNameIsCheckedInAPathToo() throws IOException {
    for (String name : List.of("a%20b", "%C3%A4", "x".repeat(256))) {
      MailboxAnswer answer = client.putTopic(name, Fields.NONE).expect(400);
      assertEquals(List.of("topic"), answer.fields());
    }
  }

  @Test
  void aBodyThatIsNoObjectIsRefused() throws IOException {
    for (String path : Requests.posts(topic).keySet()) {
      for (String body : List.of("", " ", "null", "7", "\"text\"", "[]", "{", "{}}", "{} {}")) {
        assertEquals("E_SCHEMA", client.post(path, body).expect(400).code(), path + " " + body);
      }
    }
  }

  @Test
  void aFieldThatIsGivenTwiceIsRefused() throws IOException {
    String good = Requests.send(topic).text();
    String twice = "{\"topic\":\"" + topic + "\"," + good.substring(1);
    assertEquals("E_SCHEMA", client.post("/v1/send", twice).expect(400).code());
    assertNothingStored();
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() throws IOException {
    byte[] good = Requests.send(topic).with("corr_id", "@").text().getBytes(UTF_8);
    for (int i = 0; i < good.length; i++) {
      good[i] = good[i] == '@' ? (byte) 0xff : good[i];
    }
    MailboxAnswer refused = client.call("POST", "/v1/send", BodyPublishers.ofByteArray(good));
    assertEquals("E_SCHEMA", refused.expect(400).code());
    assertNothingStored();
  }

  @Test
  void aPathOrMethodThatDoesNotExistIsAProblemToo() throws IOException {
    assertEquals("E_NOT_FOUND", client.get("/v1/nothing").expect(404).code());
    assertProblem(client.get("/v1/send").expect(405));
    assertProblem(client.call("DELETE", "/v1/topics", BodyPublishers.noBody()).expect(405));
  }

  private static List<Object> strings(String... bad) {
    return Stream.concat(Stream.<Object>of((Object[]) bad), NO_STRINGS.stream()).toList();
  }

  private static List<Object> numbers(long... bad) {
    return Stream.concat(Arrays.stream(bad).<Object>mapToObj(Long::valueOf), NO_NUMBERS.stream())
        .toList();
  }

  private static List<Object> badAttributes() {
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i < 33; i++) {
      many.put("k" + i, "v");
    }
    return List.of(
        "text",
        7,
        List.of(),
        many,
        Map.of("k", 7),
        Map.of("k", Fields.NONE),
        Map.of("", "v"),
        Map.of("k".repeat(129), "v"),
        Map.of("k", "v".repeat(1025)));
  }

  private static List<Spoiled> spoil(String path, Fields good, Map<String, List<Object>> values) {
    List<Spoiled> all = new ArrayList<>();
    values.forEach(
        (field, bad) ->
            bad.forEach(value -> all.add(new Spoiled(path, good.with(field, value), field))));
    return all;
  }

  private static Spoiled send(Fields good, String field, Object value) {
    return new Spoiled("/v1/send", good.with(field, value), field);
  }

  private static Spoiled batch(String field, Object messages) {
    return new Spoiled("/v1/send/batch", Fields.of("messages", messages), field);
  }

  private void assertRefused(List<Spoiled> all) throws IOException {
    List<Throwable> failures = new ArrayList<>();
    for (Spoiled one : all) {
      try {
        assertRefused(one, client.post(one.path(), one.body()));
      } catch (AssertionError e) {
        failures.add(e);
      }
    }
    assertAll(
        failures.stream()
            .map(
                failure ->
                    () -> {
                      throw failure;
                    }));
  }

  private static void assertRefused(Spoiled one, MailboxAnswer answer) {
    String label = one.path() + " " + abbreviated(one.body().text()) + " -> " + answer.text();
    assertEquals(400, answer.status(), label);
    assertEquals("E_SCHEMA", answer.code(), label);
    assertTrue(
        answer.fields().stream().anyMatch(field -> isOrIsWithin(field, one.field())),
        () -> one.field() + " is not named: " + label);
    assertProblem(answer);
  }

  /** An attribute's refusal may name the attribute. */
  private static boolean isOrIsWithin(String named, String field) {
    return named.equals(field) || named.startsWith(field + ".");
  }

  private static void assertProblem(MailboxAnswer answer) {
    String type = answer.header("content-type").orElse("none");
    assertTrue(type.startsWith("application/problem+json"), () -> type + " " + answer.text());
    assertEquals(answer.status(), answer.json().path("status").asInt(), answer.text());
    for (String member : List.of("type", "title", "detail", "code")) {
      assertTrue(answer.json().path(member).isTextual(), () -> member + " " + answer.text());
    }
  }

  private static String abbreviated(String text) {
    return text.length() > 200 ? text.substring(0, 200) + "..." : text;
  }

  private void assertNothingStored() throws IOException {
    assertEquals(List.of(), client.recv(topic).expect(200).messages());
  }
}
