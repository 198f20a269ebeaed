package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditFilter.Action;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.web.HttpCalls.Answer;

/** The audit export over HTTP. */
class AuditEndpointTest {
  private static final Instant AT = Instant.parse("2026-11-22T03:00:00.120Z");

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  AuditEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Answer get(String query) throws Exception {
    return calls.call("GET", "/v1/audit" + query);
  }

  private static AuditRow row(long no, String address, String note) {
    return new AuditRow(
        no,
        new AuditEntry(
            AT,
            new Actor("k1:00", address.isEmpty() ? null : "<b>shop 7</b>"),
            address,
            "topic.put",
            "orders",
            note));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | audit 0 500",
        "?limit=1 | audit 0 1",
        "?limit=10000&after=0 | audit 0 500",
        "?after=9223372036854775807 | audit 9223372036854775807 500"
      })
  void theQueryIsPassedOn(String query, String asked) throws Exception {
    assertEquals(200, get(query).status());
    assertEquals(asked, server.audit.asked);
    assertEquals(AuditFilter.ALL, server.audit.filter);
  }

  @Test
  void aFilterIsEverythingThatIsGiven() throws Exception {
    get(
        "?since=2026-11-22T03:00:00Z&until=2026-11-22T05:00:00.1239%2B01:00"
            + "&action=capability.revoke_key&subject=K-1_.a&actor_name=console:ann%20%E2%82%AC");
    assertEquals(
        new AuditFilter(
            Instant.parse("2026-11-22T03:00:00Z"),
            Instant.parse("2026-11-22T04:00:00.123Z"),
            new Action("capability.revoke_key", false),
            "K-1_.a",
            "console:ann \u20ac"),
        server.audit.filter);
  }

  @ParameterizedTest
  @CsvSource({"topic.*,topic.", "topic.p*,topic.p", "*,''"})
  void anActionThatEndsWithAnAsteriskIsABeginning(String action, String text) throws Exception {
    assertEquals(200, get("?action=" + action).status());
    assertEquals(
        new AuditFilter(null, null, new Action(text, true), null, null), server.audit.filter);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?since=yesterday | since",
        "?since=2026-11-22T03:00:00 | since",
        "?until=2026-11-22 | until",
        "?until=2026-11-22T03:00:00Z&until=2026-11-22T03:00:00Z | until",
        "?action= | action",
        "?actor_name= | actor_name",
        "?action=Topic.put | action",
        "?action=topic.*t | action",
        "?action=topic.** | action",
        "?action=%25 | action",
        "?action=topic.put&action=topic.pause | action",
        "?subject= | subject",
        "?subject=a&subject=b | subject",
        "?subject=a%20b | subject",
        "?subject=%C3%A4 | subject",
        "?after=-1 | after",
        "?after=x | after",
        "?after=9223372036854775808 | after",
        "?after=1&after=2 | after",
        "?limit=0 | limit",
        "?limit=10001 | limit",
        "?limit=1&limit=1 | limit",
        "?cursor=1 | cursor"
      })
  void badParametersAreRefusedByName(String query, String field) throws Exception {
    Answer refused = get(query);
    assertEquals(400, refused.status());
    assertEquals("E_SCHEMA", refused.json().path("code").asText());
    assertEquals(List.of(field), refused.fields());
    assertEquals("", server.audit.asked);
  }

  @Test
  void textIsBoundedAndEverythingThatIsWrongIsSaidAtOnce() throws Exception {
    assertEquals(200, get("?actor_name=" + "n".repeat(255)).status());
    assertEquals(400, get("?actor_name=" + "n".repeat(256)).status());
    assertEquals(200, get("?subject=" + "s".repeat(255)).status());
    assertEquals(List.of("subject"), get("?subject=" + "s".repeat(256)).fields());
    assertEquals(200, get("?action=" + "a".repeat(64)).status());
    assertEquals(List.of("action"), get("?action=" + "a".repeat(65)).fields());
    assertEquals(
        Set.of("x", "since", "until", "action", "subject", "after", "limit"),
        Set.copyOf(get("?x=1&since=x&until=x&action=&subject=&after=x&limit=0").fields()));
  }

  @Test
  void anEntryIsALine() throws Exception {
    server.audit.rows = List.of(row(7, "192.0.2.7", "a \"note\"\nin two lines"), row(9, "", ""));
    Answer answer = get("");
    assertEquals("application/x-ndjson", answer.header("Content-Type"));
    assertEquals(
        "{\"no\":7,\"at\":\"2026-11-22T03:00:00.120Z\",\"actor\":\"k1:00\","
            + "\"actor_name\":\"<b>shop 7</b>\",\"address\":\"192.0.2.7\",\"action\":\"topic.put\",\"subject\":\"orders\","
            + "\"note\":\"a \\\"note\\\"\\nin two lines\"}\n"
            + "{\"no\":9,\"at\":\"2026-11-22T03:00:00.120Z\",\"actor\":\"k1:00\","
            + "\"action\":\"topic.put\",\"subject\":\"orders\",\"note\":\"\"}\n",
        answer.response().body());
    assertEquals(documented(), names(answer.json()));
  }

  private static Set<String> documented() throws IOException {
    try (InputStream yaml = AuditEndpointTest.class.getResourceAsStream("/META-INF/openapi.yaml")) {
      JsonNode document = new YAMLMapper().readTree(yaml);
      assertTrue(
          document.at("/paths/~1v1~1audit/get/responses/200/content").has("application/x-ndjson"));
      return names(document.at("/components/schemas/AuditLine/properties"));
    }
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void nothingIsAnEmptyBody() throws Exception {
    Answer answer = get("?after=5");
    assertEquals(200, answer.status());
    assertEquals("", answer.response().body());
    assertEquals("application/x-ndjson", answer.header("Content-Type"));
  }

  @Test
  void theLargestExportIsComplete() throws Exception {
    List<AuditRow> rows = new ArrayList<>();
    for (int i = 1; i <= AuditService.MAX_ROWS; i++) {
      rows.add(row(i, "", "n".repeat(i % 1_000)));
    }
    server.audit.rows = rows;
    List<String> lines = get("?limit=10000").response().body().lines().toList();
    assertEquals(AuditService.MAX_ROWS, lines.size());
    ObjectMapper json = new ObjectMapper();
    for (int i = 0; i < lines.size(); i++) {
      assertEquals(i + 1, json.readTree(lines.get(i)).path("no").asInt());
    }
    assertEquals(Collections.nCopies(20, 500), List.copyOf(server.audit.limits));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 1",
        "499 | 499",
        "500 | 500",
        "501 | 500 1",
        "1000 | 500 500",
        "1199 | 500 500 199",
        "1200 | 500 500 200",
        "1201 | 500 500 201",
        "10000 | 500 500 500"
      })
  void noMoreThanAPageIsInMemory(int limit, String read) throws Exception {
    server.audit.rows = LongStream.rangeClosed(1, 1_200).mapToObj(no -> row(no, "", "")).toList();
    List<String> lines = get("?limit=" + limit).response().body().lines().toList();
    assertEquals(Math.min(limit, 1_200), lines.size());
    List<String> limits = server.audit.limits.stream().map(String::valueOf).toList();
    assertEquals(read, String.join(" ", limits));
  }

  @Test
  void aFailedPageEndsTheAnswerAfterACompleteLine() throws Exception {
    server.audit.rows = LongStream.rangeClosed(1, 1_200).mapToObj(no -> row(no, "", "")).toList();
    server.audit.readable = 999;
    Answer cut = get("?limit=10000");
    assertEquals(200, cut.status());
    List<String> lines = cut.response().body().lines().toList();
    assertEquals(1_000, lines.size());
    assertEquals(1_000, new ObjectMapper().readTree(lines.get(999)).path("no").asInt());
    assertEquals(503, get("?limit=10000&after=1000").status());
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-ndjson,200",
    "'application/x-ndjson;q=1, application/problem+json',200",
    "application/json,200",
    "*/*,200",
    "text/plain,406"
  })
  void clientsThatAcceptLinesGetThem(String accept, int status) throws Exception {
    assertEquals(
        status,
        calls
            .call(
                calls.request("GET", "/v1/audit", BodyPublishers.noBody()).header("Accept", accept))
            .status());
  }
}
