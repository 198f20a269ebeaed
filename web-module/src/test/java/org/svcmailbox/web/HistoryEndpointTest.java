package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.history.HistoryService.Question;
import org.svcmailbox.core.history.HistoryService.Window;
import org.svcmailbox.core.history.Series;

/** The history over HTTP. */
class HistoryEndpointTest {
  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  HistoryEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private Question asked() {
    return Objects.requireNonNull(server.history.asked);
  }

  @Test
  void theServiceIsToldWithAllItsSeriesOfAnHour() throws Exception {
    JsonNode json = calls.call("GET", "/v1/history").json();

    assertEquals("1h", json.path("window").asText());
    assertEquals("1970-01-01T00:00:00.000Z", json.path("from").asText());
    assertEquals("1970-01-01T01:00:00.000Z", json.path("until").asText());
    assertEquals(60, json.path("step_seconds").asInt());
    assertEquals("[\"1970-01-01T00:00:30.000Z\"]", json.path("starts").toString());
    assertEquals(1, json.path("histories").size());
    JsonNode service = json.path("histories").path(0);
    assertTrue(service.path("topic").isMissingNode());
    assertEquals(
        List.of(
            "sent",
            "delivered",
            "redelivered",
            "acked",
            "dead",
            "ready",
            "scheduled",
            "inflight",
            "letters",
            "oldest_ms",
            "refused"),
        names(service.path("points")));
    JsonNode sent = service.path("points").path("sent");
    assertEquals(60, sent.size());
    assertEquals(5, sent.path(0).asInt());
    assertTrue(sent.path(1).isNull(), "a gap");
    assertEquals(0, service.path("points").path("acked").path(0).asInt(-1));
  }

  @Test
  void topicsAreToldInTheOrderOfTheQuestionWithTheSeriesAskedFor() throws Exception {
    JsonNode json =
        calls
            .call("GET", "/v1/history?topic=b&topic=a&series=oldest_ms&series=sent&window=7d")
            .json();

    assertEquals(
        new Question(
            List.of(new TopicName("b"), new TopicName("a")),
            Set.of(Series.SENT, Series.OLDEST_MS),
            Window.WEEK),
        asked());
    assertEquals(1_800, json.path("step_seconds").asInt());
    assertEquals("b", json.path("histories").path(0).path("topic").asText());
    assertEquals("a", json.path("histories").path(1).path("topic").asText());
    assertEquals(
        List.of("sent", "oldest_ms"), names(json.path("histories").path(1).path("points")));
    assertEquals(336, json.path("histories").path(1).path("points").path("sent").size());
  }

  @Test
  void aTopicIsToldWithoutTheSeriesOfTheService() throws Exception {
    assertEquals(200, calls.call("GET", "/v1/history?topic=a&window=24h").status());
    assertEquals(Set.copyOf(Series.OF_TOPIC), asked().series());
  }

  private static String topics(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> "topic=t" + number)
        .collect(Collectors.joining("&"));
  }

  @Test
  void twentyThousandPointsOfFiftyTopicsAreTheMost() throws Exception {
    String fifty = "/v1/history?series=sent&window=6h&" + topics(50);
    assertEquals(200, calls.call("GET", fifty).status());
    assertEquals(18_000, asked().points());
    HttpCalls.Answer wider = calls.call("GET", fifty + "&series=acked");
    assertEquals(400, wider.status());
    assertEquals(List.of("topic"), wider.fields());
    HttpCalls.Answer more = calls.call("GET", "/v1/history?series=sent&" + topics(51));
    assertEquals(List.of("topic"), more.fields());
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/history?window=2h, window",
    "/v1/history?window=, window",
    "/v1/history?window=1h&window=1h, window",
    "/v1/history?series=saturation, series",
    "/v1/history?series=SENT, series",
    "/v1/history?topic=a&series=refused, series",
    "/v1/history?topic=a%20b, topic",
    "/v1/history?topic=a&topic=a, topic",
    "/v1/history?step=1, step"
  })
  void aMalformedQuestionNamesItsField(String path, String field) throws Exception {
    HttpCalls.Answer answer = calls.call("GET", path);
    assertEquals(400, answer.status(), path);
    assertEquals(List.of(field), answer.fields(), path);
    assertNull(server.history.asked);
  }
}
