package org.svcmailbox.worker.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.outbox.event.MessageId;

class WorkerCliTest extends CliFixture {
  @Test
  void migrationsAreTakenOnce() throws Exception {
    assertTrue(run(0, "migrate").get(0).path("migrations").asInt() > 0);
    assertEquals(0, run(0, "migrate").get(0).path("migrations").asInt(-1));
  }

  @Test
  void aWorkerDoesNotStartOnTablesThatAreMissing() throws Exception {
    assertEquals(List.of(), run(2, "run"));
    assertTrue(errors().contains("run migrate first"), errors());
  }

  @Test
  void aTokenInTheWrongPlaceIsNotShown() throws Exception {
    String token = "AgFA" + "aB3_-".repeat(20);
    run(2, "status", token);
    assertTrue(errors().contains("[token]") && !errors().contains(token), errors());
    files.worker("context = \"sea\"\n[service]\ntoken_file = \"" + token + "\"\n");
    run(2, "status");
    assertTrue(errors().contains("[token]") && !errors().contains(token), errors());
  }

  @Test
  void theStatusCountsWhatWaits() throws Exception {
    run(0, "migrate");
    parked();
    record();
    List<JsonNode> lines = run(0, "status");
    assertEquals("outbox", lines.get(0).path("backlog").asText());
    assertEquals(2, lines.get(0).path("count").asInt());
    assertTrue(lines.get(0).path("oldest_at").asText().endsWith("Z"), lines.toString());
    assertEquals("parked", lines.get(1).path("backlog").asText());
    assertEquals(1, lines.get(1).path("count").asInt());
    assertEquals("inbox", lines.get(2).path("backlog").asText());
    assertEquals(0, lines.get(2).path("count").asInt());
    assertTrue(lines.get(2).path("oldest_at").isMissingNode());
  }

  @Test
  void parkedEventsAreListedAndTriedAgain() throws Exception {
    run(0, "migrate");
    MessageId id = parked();
    JsonNode line = run(0, "outbox", "list", "--parked", "--error", "NO_ROUTE").get(0);
    assertEquals(id.toString(), line.path("id").asText());
    assertEquals("order:7", line.path("aggregate").asText());
    assertEquals("NO_ROUTE", line.path("code").asText());
    assertEquals(1, line.path("attempts").asInt());
    assertTrue(line.path("parked").asBoolean());
    assertEquals(1, run(0, "outbox", "list", "--parked", "--error", "no CONSUMER").size());
    assertEquals(List.of(), run(0, "outbox", "list", "--parked", "--error", "REFUSED"));
    assertEquals(List.of(), run(0, "outbox", "list", "--parked", "--error", "no_route"));
    assertEquals(List.of(), run(0, "outbox", "list", "--parked", "--older-than", "1h"));
    run(2, "outbox", "retry", id.toString());
    assertTrue(errors().contains("--note"), errors());
    run(2, "outbox", "retry", "--note", "routed now");
    run(2, "outbox", "retry", "--all", id.toString(), "--note", "routed now");
    JsonNode retried = run(0, "outbox", "retry", "--all", "--note", "routed now").get(0);
    assertEquals(1, retried.path("retried").asInt());
    assertEquals(List.of(), run(0, "outbox", "list", "--parked"));
    run(1, "outbox", "retry", id.toString(), "--note", "routed now");
  }

  @Test
  void aParkedEventIsSkippedOnce() throws Exception {
    run(0, "migrate");
    String id = parked().toString();
    assertTrue(
        run(0, "outbox", "skip", id, "--note", "test order").get(0).path("skipped").asBoolean());
    assertFalse(
        run(1, "outbox", "skip", id, "--note", "test order").get(0).path("skipped").asBoolean());
  }

  @Test
  void whatIsNotPublishedIsNotPublishedOnceMore() throws Exception {
    run(0, "migrate");
    String id = parked().toString();
    run(1, "outbox", "republish", id, "--note", "lost");
    JsonNode copy = run(0, "outbox", "republish", id, "--new-id", "--note", "lost").get(0);
    assertFalse(copy.path("id").asText().equals(id));
  }

  @Test
  void topicsGetTheirSettings() throws Exception {
    run(0, "apply");
    JsonNode topic = MAPPER.readTree(service.topics.get("/v1/topics/sea__from_vibespro"));
    assertEquals(20, topic.path("max_attempts").asInt());
    assertEquals("PT2M", topic.path("default_visibility").asText());
    assertEquals("PT168H", topic.path("retention_ready").asText());
    assertEquals(10L << 30, topic.path("retention_ready_bytes").asLong());
    assertEquals(50, topic.path("retention_inflight_count").asInt());
    assertEquals("PT5M", topic.path("backoff_max").asText());
    assertEquals("PT22M", topic.path("retention_inflight").asText());
    assertEquals("PT336H", topic.path("retention_dlq").asText());
  }

  @Test
  void settingsOfOperatorsStay() throws Exception {
    service.topics.put(
        "/v1/topics/sea__from_vibespro", "{\"reprocess_after\":\"1h\",\"max_attempts\":3}");
    run(0, "apply");
    JsonNode topic = MAPPER.readTree(service.topics.get("/v1/topics/sea__from_vibespro"));
    assertEquals("1h", topic.path("reprocess_after").asText());
    assertEquals(20, topic.path("max_attempts").asInt());
  }

  @Test
  void aCheckTellsWhatIsMissing() throws Exception {
    List<JsonNode> before = run(1, "check");
    assertEquals("not up to date: run migrate", status(before, "tables"));
    assertEquals("is missing: run apply", status(before, "topic sea__from_vibespro"));
    run(0, "migrate");
    run(0, "apply");
    List<JsonNode> after = run(0, "check");
    after.forEach(line -> assertEquals("ok", line.path("status").asText(), after.toString()));
    assertEquals(
        List.of(
            "settings",
            "context",
            "database",
            "service",
            "handler sea__from_vibespro",
            "tables",
            "topic sea__from_vibespro"),
        after.stream().map(line -> line.path("part").asText()).toList());
  }

  @Test
  void aCheckComparesTopics() throws Exception {
    run(0, "migrate");
    run(0, "apply");
    service.topics.replaceAll((path, topic) -> topic.replace(":20,", ":5,"));
    assertEquals(
        "max_attempts is 5, not 20: run apply",
        status(run(1, "check"), "topic sea__from_vibespro"));
    service.permitsPeek = false;
    JsonNode unseen = part(run(0, "check"), "topic sea__from_vibespro");
    assertEquals("ok", unseen.path("status").asText());
    assertEquals("not compared: the capability lacks the right peek", unseen.path("note").asText());
  }

  @Test
  void aCheckTellsThatTheHandlerIsAway() throws Exception {
    run(0, "migrate");
    run(0, "apply");
    handler.close();
    assertTrue(status(run(1, "check"), "handler sea__from_vibespro").contains("refused"));
  }

  @Test
  void aCheckFailsForAContextWithoutAStream() throws Exception {
    run(0, "migrate");
    run(0, "apply");
    String settings = Files.readString(files.worker());
    files.worker(settings.replace("\"sea\"", "\"see\""));
    assertEquals(
        "no stream has subjects of context see (see.event.>): correct it, or set"
            + " publisher.enabled = false",
        status(run(1, "check"), "context"));
    files.worker(settings.replace("\"sea\"", "\"see\"") + "[publisher]\nenabled = false\n");
    assertEquals("ok", status(run(0, "check"), "context"));
  }

  private static String status(List<JsonNode> lines, String part) {
    return part(lines, part).path("status").asText();
  }

  private static JsonNode part(List<JsonNode> lines, String part) {
    return lines.stream()
        .filter(line -> line.path("part").asText().equals(part))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void settingsThatAreWrongAreAllTold() throws Exception {
    files.worker("colour = \"red\"");
    run(2, "status");
    String told = errors();
    assertTrue(told.contains("INVALID_CONFIG"), told);
    assertTrue(told.contains("context is missing"), told);
    assertTrue(told.contains("colour is no setting"), told);
  }

  @ParameterizedTest
  @CsvSource({"nonsense", "outbox", "inbox", "outbox skip x --note y"})
  void whatIsNoCommandIsMisuse(String arguments) throws Exception {
    run(2, arguments.split(" ", -1));
  }

  @Test
  void parkedEventsAreTriedAgainByTheWordsOfTheirErrors() throws Exception {
    run(0, "migrate");
    parked();
    run(1, "outbox", "retry", "--error", "full", "--note", "there is room");
    JsonNode line = run(0, "outbox", "retry", "--error", "subscribes", "--note", "routed").get(0);
    assertEquals(1, line.path("retried").asInt());
  }

  @Test
  void eventsThatWaitAreListedWithTheParkedOnes() throws Exception {
    run(0, "migrate");
    MessageId parked = parked();
    MessageId waiting = record();
    List<JsonNode> lines = run(0, "outbox", "list");
    assertEquals(List.of(parked.toString(), waiting.toString()), texts(lines, "id"));
    assertEquals(List.of("true", "false"), texts(lines, "parked"));
    assertTrue(lines.get(0).path("error").asText().startsWith("no consumer"), lines.toString());
    assertTrue(lines.get(1).path("error").isMissingNode());
    assertEquals(1, run(0, "outbox", "list", "--error", "NO_ROUTE").size());
  }
}
