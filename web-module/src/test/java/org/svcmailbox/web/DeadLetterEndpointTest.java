package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.deadletter.CheckedLetter;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.DeadLetterService.Page;
import org.svcmailbox.core.deadletter.Evidence;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.web.HttpCalls.Answer;

/** Dead letters over HTTP. */
class DeadLetterEndpointTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final MsgId MSG_ID = MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  private static final Instant DIED = Instant.parse("2026-11-22T03:00:00.120Z");
  private static final LetterPosition POSITION =
      new LetterPosition(LetterPosition.before(DIED).bits() + 5);
  private static final Map<String, String> NAMES =
      Map.of("0123456789abcdef0123456789abcdef", "shop 7");
  private static final String ERROR = "timed out after 30 ms";

  private static final Envelope ENVELOPE =
      SampleMessages.message(
              new ShardId(ORDERS, 1),
              7,
              DIED.minusSeconds(60),
              new byte[] {1, 2, -1},
              new Attributes(Map.of("colour", "red")),
              new Signature("signed"))
          .envelope();

  private static final DeadLetter LETTER =
      new DeadLetter(
          POSITION,
          ORDERS,
          0,
          ENVELOPE.msgId(),
          DeadLetterReason.MAX_ATTEMPTS,
          3,
          ERROR,
          2,
          new JobId("j0123456789abcdef"),
          3,
          ENVELOPE);

  private static final DeadLetter UNREADABLE =
      new DeadLetter(
          new LetterPosition(5),
          ORDERS,
          0,
          MSG_ID,
          DeadLetterReason.UNREADABLE,
          0,
          "what is this",
          0,
          null,
          9,
          null);

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  DeadLetterEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Answer get(String path) throws Exception {
    return calls.call("GET", "/v1/dlq/orders" + path);
  }

  private static CheckedLetter content(MessageHistory history, boolean isTraced) {
    return checked(LETTER, history, isTraced, Evidence.INTACT);
  }

  private static CheckedLetter checked(
      DeadLetter letter, MessageHistory history, boolean isTraced, Evidence evidence) {
    return new CheckedLetter(
        new LetterContent(
            letter,
            Payload.owning(new byte[] {1, 2, -1}),
            history,
            DIED.plusSeconds(3_600),
            null,
            isTraced ? SampleMessages.TRACE : null),
        evidence,
        NAMES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | list orders 7fffffffffffffff 50",
        "?limit=100 | list orders 7fffffffffffffff 100",
        "?cursor=00000000000000ff&limit=1 | list orders ff 1",
        "?cursor=7fffffffffffffff | list orders 7fffffffffffffff 50",
        "/groups | groups orders",
        "/01ARZ3NDEKTSV4RRFFQ69G5FAV | read orders 01ARZ3NDEKTSV4RRFFQ69G5FAV"
      })
  void theQueryIsPassedOn(String path, String asked) throws Exception {
    server.letters.content = content(MessageHistory.NONE, false);
    assertEquals(200, get(path).status());
    assertEquals(asked, server.letters.asked);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/groups"})
  void aFilterIsEverythingThatIsGiven(String path) throws Exception {
    String query =
        "?reason=expired&fingerprint=20ff00ff00ff00ff&fingerprint=2000000000000001&since=2026-11-22T03:00:00Z"
            + "&until=2026-11-22T05:00:00.1239%2B01:00&attempt=3&idem_key=k%201&corr_id=c"
            + "&attr=a=b=c&attr=empty=&attr=%C3%A4=%26&job=j0123456789abcdef&q=Timed+OUT*,+3+timed";
    assertEquals(200, get(path + query).status());
    assertEquals(
        new LetterFilter(
            DeadLetterReason.EXPIRED,
            List.of(new Fingerprint(0x2000000000000001L), new Fingerprint(0x20ff00ff00ff00ffL)),
            Instant.parse("2026-11-22T03:00:00Z"),
            Instant.parse("2026-11-22T04:00:00.123Z"),
            3,
            "k 1",
            "c",
            Map.of("a", "b=c", "empty", "", "ä", "&"),
            List.of("timed", "out*", "3"),
            new JobId("j0123456789abcdef")),
        server.letters.filter);
    assertEquals(200, get(path).status());
    assertEquals(LetterFilter.ALL, server.letters.filter);
  }

  @ParameterizedTest
  @EnumSource(DeadLetterReason.class)
  void everyReasonCanBeAskedFor(DeadLetterReason reason) throws Exception {
    get("?reason=" + reason.text());
    assertEquals(
        new LetterFilter(
            reason, List.of(), null, null, null, null, null, Map.of(), List.of(), null),
        server.letters.filter);
  }

  @Test
  void asManyFingerprintsAsThereMayBe() throws Exception {
    String twenty =
        IntStream.range(0, 20)
            .mapToObj("fingerprint=20ff00ff00ff%04x"::formatted)
            .collect(Collectors.joining("&"));
    assertEquals(200, get("?" + twenty).status());
    assertEquals(20, server.letters.filter.fingerprints().size());
    assertEquals(400, get("?" + twenty + "&fingerprint=2100000000000000").status());
  }

  @Test
  void asManyWordsAndAttributesAsThereMayBe() throws Exception {
    assertEquals(
        200,
        get("?q=a+b+c+d+e+f+g+h" + "&attr=%d=".repeat(8).formatted(1, 2, 3, 4, 5, 6, 7, 8))
            .status());
    assertEquals(8, server.letters.filter.words().size());
    assertEquals(8, server.letters.filter.attributes().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?reason=poison | reason",
        "?reason=EXPIRED | reason",
        "?reason= | reason",
        "?reason=expired&reason=expired | reason",
        "?fingerprint=20FF00FF00FF00FF | fingerprint",
        "?fingerprint=20ff00ff00ff00f | fingerprint",
        "?fingerprint=20ff00ff00ff00fg | fingerprint",
        "?fingerprint=10ff00ff00ff00ff | fingerprint",
        "?fingerprint=20ff00ff00ff00ff&fingerprint=x | fingerprint",
        "?job=j01 | job",
        "?since=yesterday | since",
        "?since=2026-11-22T03:00:00 | since",
        "?until=2026-11-22 | until",
        "?until=2026-11-22T03:00:00Z&until=2026-11-22T03:00:00Z | until",
        "?attempt=-1 | attempt",
        "?attempt=1001 | attempt",
        "?attempt=x | attempt",
        "?idem_key= | idem_key",
        "?idem_key=a&idem_key=b | idem_key",
        "?corr_id= | corr_id",
        "?attr=colour | attr",
        "?attr==red | attr",
        "?attr= | attr",
        "?attr=a=1&attr=a=2 | attr",
        "?attr=1=&attr=2=&attr=3=&attr=4=&attr=5=&attr=6=&attr=7=&attr=8=&attr=9= | attr",
        "?q= | q",
        "?q=-+*+! | q",
        "?q=a+b+c+d+e+f+g+h+i | q",
        "?q=a&q=b | q",
        "?limit=0 | limit",
        "?limit=101 | limit",
        "?limit=1&limit=1 | limit",
        "?cursor= | cursor",
        "?cursor=00000000000000f | cursor",
        "?cursor=00000000000000FF | cursor",
        "?cursor=8000000000000000 | cursor",
        "?cursor=00000000000000ff&cursor=00000000000000ff | cursor",
        "?what=1 | what",
        "/groups?limit=1 | limit",
        "/groups?cursor=00000000000000ff | cursor",
        "/groups?reason=poison | reason",
        "/01ARZ3NDEKTSV4RRFFQ69G5FAV?reason=expired | reason",
        "/01arz3ndektsv4rrffq69g5fav | msg_id",
        "/group | msg_id"
      })
  void badParametersAreRefusedByName(String path, String field) throws Exception {
    Answer refused = get(path);
    assertEquals(400, refused.status());
    assertEquals(List.of(field), refused.fields());
    assertEquals("", server.letters.asked);
  }

  @Test
  void valuesAreBoundedAsTheirFieldsAre() throws Exception {
    for (String query :
        List.of(
            "idem_key=" + "k".repeat(256),
            "corr_id=" + "c".repeat(129),
            "attr=" + "k".repeat(129) + "=v",
            "attr=k=" + "v".repeat(1_025))) {
      List<String> fields = get("?" + query).fields();
      assertEquals(List.of(query.substring(0, query.indexOf('='))), fields);
    }
    assertEquals(List.of("topic"), calls.call("GET", "/v1/dlq/a%20b").fields());
    assertEquals("", server.letters.asked);
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnce() throws Exception {
    assertEquals(
        Set.of("x", "reason", "attempt", "attr", "q", "limit", "cursor"),
        Set.copyOf(get("?x=1&reason=x&attempt=-1&attr=x&q=&limit=0&cursor=x").fields()));
  }

  @Test
  void aPageShowsTheFieldsOfEachLetter() throws Exception {
    server.letters.page = new Page(List.of(LETTER, UNREADABLE), POSITION);
    JsonNode page = get("").json();
    assertEquals(2, page.path("letters").size());
    JsonNode letter = page.path("letters").get(0);
    assertEquals(ENVELOPE.msgId().toString(), letter.path("msg_id").asText());
    assertEquals("orders", letter.path("topic").asText());
    assertEquals("max_attempts", letter.path("reason").asText());
    assertEquals(LETTER.fingerprint().toString(), letter.path("fingerprint").asText());
    assertEquals(3, letter.path("attempt").asInt());
    assertEquals(ERROR, letter.path("last_error").asText());
    assertEquals("2026-11-22T03:00:00.120Z", letter.path("dead_at").asText());
    assertEquals(2, letter.path("reprocessed").asInt());
    assertEquals(3, letter.path("payload_bytes").asInt());
    assertEquals("2026-11-22T02:59:00.120Z", letter.path("ts").asText());
    assertEquals(ENVELOPE.idemKey().value(), letter.path("idem_key").asText());
    assertEquals(ENVELOPE.corrId().value(), letter.path("corr_id").asText());
    assertEquals(1, letter.path("shard").asInt());
    assertEquals(7, letter.path("seq").asInt());
    assertEquals(ENVELOPE.payloadHash().toString(), letter.path("payload_hash").asText());
    assertEquals(ENVELOPE.hashChain().toString(), letter.path("hash_chain").asText());
    assertEquals("red", letter.path("attrs").path("colour").asText());
    assertEquals("signed", letter.path("sig").asText());
    assertEquals(names("Letter"), names(letter));
    assertEquals(required("Letter"), names(page.path("letters").get(1)));
    assertEquals(MSG_ID.toString(), page.path("letters").get(1).path("msg_id").asText());
  }

  @Test
  void aPageSaysWhereTheNextBeginsUnlessItIsTheLast() throws Exception {
    server.letters.page = new Page(List.of(LETTER), POSITION);
    String cursor = get("").json().path("next_cursor").asText();
    get("?cursor=" + cursor);
    assertEquals("list orders " + Long.toHexString(POSITION.bits()) + " 50", server.letters.asked);

    server.letters.page = new Page(List.of(LETTER), null);
    assertFalse(get("").json().has("next_cursor"));

    server.letters.page = new Page(List.of(), null);
    assertEquals("{\"letters\":[]}", get("").response().body());
  }

  @Test
  void groupsShowTheCommonFieldsOfTheirLetters() throws Exception {
    server.letters.groups =
        List.of(
            new LetterGroup(
                LETTER.fingerprint(),
                Map.of(DeadLetterReason.MAX_ATTEMPTS, 9L, DeadLetterReason.EXPIRED, 3L),
                LetterPosition.before(DIED.minusSeconds(1)),
                POSITION,
                ERROR));
    assertEquals(
        "{\"groups\":[{\"fingerprint\":\""
            + LETTER.fingerprint()
            + "\",\"count\":12,\"reasons\":{\"expired\":3,\"max_attempts\":9},"
            + "\"first_seen\":\"2026-11-22T02:59:59.120Z\","
            + "\"last_seen\":\"2026-11-22T03:00:00.120Z\","
            + "\"pattern\":\"timed out after # ms\",\"sample\":\""
            + ERROR
            + "\"}]}",
        get("/groups").response().body());
    assertEquals(
        names(schema("GroupsResponse").at("/properties/groups/items/properties")),
        names(get("/groups").json().path("groups").get(0)));
  }

  @Test
  void aLetterComesWithItsPayloadAndItsHistory() throws Exception {
    MessageHistory history =
        new MessageHistory(
            List.of(
                SampleMessages.refused(1, "no"),
                new MessageEvent(MessageEvent.Kind.EXPIRED, DIED, 2, "ran out", null),
                new MessageEvent(MessageEvent.Kind.REDRIVEN, DIED, 2, "", null)),
            4,
            1);
    server.letters.content = content(history, true);
    JsonNode letter = get("/" + ENVELOPE.msgId()).json();
    assertEquals("AQL/", letter.path("payload").asText());
    assertEquals("2026-11-22T04:00:00.120Z", letter.path("expires_at").asText());
    assertEquals("{\"seq\":7,\"status\":\"intact\"}", letter.path("ledger").toString());
    assertEquals(4, letter.path("history_dropped").asInt(-1));
    assertEquals(SampleMessages.TRACE.parent(), letter.path("traceparent").asText());
    assertEquals(SampleMessages.TRACE.state(), letter.path("tracestate").asText());
    assertEquals(
        "[{\"event\":\"nacked\",\"at\":\"2027-01-15T08:00:00.123Z\",\"attempt\":1,"
            + "\"note\":\"no\",\"by\":\"k1:0123456789abcdef0123456789abcdef\",\"by_name\":\"shop 7\"},"
            + "{\"event\":\"expired\",\"at\":\"2026-11-22T03:00:00.120Z\",\"attempt\":2,"
            + "\"note\":\"ran out\"},"
            + "{\"event\":\"reprocessed\",\"at\":\"2026-11-22T03:00:00.120Z\",\"attempt\":2,"
            + "\"note\":\"\"}]",
        letter.path("history").toString());
    Set<String> documented = new TreeSet<>(names("Letter"));
    documented.addAll(names(schema("LetterContent").at("/allOf/1/properties")));
    assertEquals(documented, names(letter));
    assertEquals(
        names(schema("LetterContent").at("/allOf/1/properties/history/items/properties")),
        names(letter.path("history").get(0)));
  }

  @ParameterizedTest
  @EnumSource(Evidence.class)
  void theLedgersEvidenceIsShown(Evidence evidence) throws Exception {
    server.letters.content = checked(UNREADABLE, MessageHistory.NONE, false, evidence);
    assertEquals(
        "{\"status\":\"" + evidence.text() + "\"}",
        get("/" + MSG_ID).json().path("ledger").toString());
    JsonNode statuses = schema("LetterContent").at("/allOf/1/properties/ledger/properties/status");
    List<String> documented = new ArrayList<>();
    statuses.path("enum").forEach(text -> documented.add(text.asText()));
    assertEquals(Stream.of(Evidence.values()).map(Evidence::text).toList(), documented);
  }

  @Test
  void aLetterWithoutATraceDoesNotSpeakOfOne() throws Exception {
    server.letters.content = content(MessageHistory.NONE, false);
    JsonNode letter = get("/" + ENVELOPE.msgId()).json();
    assertFalse(letter.has("traceparent"));
    assertFalse(letter.has("tracestate"));
    assertEquals("[]", letter.path("history").toString());
    assertEquals(0, letter.path("history_dropped").asInt(-1));
  }

  @Test
  void aMissingLetterIsNotFound() throws Exception {
    assertNull(server.letters.content);
    Answer answer = get("/" + MSG_ID);
    assertEquals(404, answer.status());
    assertEquals("E_NOT_FOUND", answer.json().path("code").asText());
    assertEquals(404, get("/" + MSG_ID + "/payload").status());
    assertTrue(get("/groups").json().path("groups").isEmpty());
  }

  private static JsonNode schema(String name) throws IOException {
    try (InputStream yaml =
        DeadLetterEndpointTest.class.getResourceAsStream("/META-INF/openapi.yaml")) {
      return new YAMLMapper().readTree(yaml).at("/components/schemas/" + name);
    }
  }

  private static Set<String> names(String schema) throws IOException {
    return names(schema(schema).path("properties"));
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<String> required(String schema) throws IOException {
    Set<String> names = new TreeSet<>();
    schema(schema).path("required").forEach(name -> names.add(name.asText()));
    return names;
  }
}
