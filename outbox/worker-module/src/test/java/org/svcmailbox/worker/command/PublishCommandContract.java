package org.svcmailbox.worker.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.jdbc.JdbcOutboxStore;
import org.svcmailbox.outbox.publish.OutboxTransaction;
import org.svcmailbox.outbox.publish.Passes;

/** Publishing by command: one event, and the history. */
abstract class PublishCommandContract extends CliFixture {
  @Override
  protected final String context() {
    return "vibespro";
  }

  @BeforeEach
  void migrate() throws Exception {
    run(0, "migrate");
  }

  private JsonNode publish(int expected, MessageId id) throws Exception {
    return run(
            expected,
            "outbox",
            "publish",
            id.toString(),
            "--note",
            "the customer waits",
            "--by",
            "ada",
            "--wait",
            "0s")
        .get(0);
  }

  @Test
  void anEventIsPublishedNow() throws Exception {
    MessageId id = record();
    assertEquals("published", publish(0, id).path("result").asText());
    assertEquals(List.of(id.toString()), service.sent);
    JsonNode again = publish(1, id);
    assertEquals("already_published", again.path("result").asText());
    assertTrue(Instant.parse(again.path("published_at").asText()).isBefore(Instant.now()));
    assertEquals(List.of(id.toString()), service.sent);
    String row = "ada publish " + id + " the customer waits";
    assertEquals(List.of(row, row), audit());
    assertEquals(List.of(), run(0, "outbox", "list"));
  }

  @Test
  void anEventThatIsNotThereIsNotPublished() throws Exception {
    assertEquals("unknown", publish(1, MessageId.next()).path("result").asText());
  }

  @Test
  void aChangeWithoutANoteIsNone() throws Exception {
    run(2, "outbox", "publish", record().toString());
    assertEquals(List.of(), audit());
    assertEquals(List.of(), service.sent);
  }

  @Test
  void anEventThatTheServiceRefusesIsParked() throws Exception {
    MessageId id = record();
    service.refusal = 409;
    JsonNode line = publish(3, id);
    assertEquals("parked", line.path("result").asText());
    assertEquals("REFUSED", line.path("code").asText());
    assertTrue(line.path("error").asText().startsWith(TOPIC + ": "), line.toString());
    assertEquals(1, run(0, "outbox", "list", "--parked").size());
    service.refusal = 0;
    assertEquals("published", publish(0, id).path("result").asText());
    assertEquals(List.of(), run(0, "outbox", "list", "--parked"));
  }

  @Test
  void anEventThatMayNotBeSentYetIsWorthAnotherTry() throws Exception {
    service.refusal = 403;
    JsonNode line = publish(4, record());
    assertEquals("failed", line.path("result").asText());
    assertTrue(line.path("code").isMissingNode());
    assertEquals(List.of(), run(0, "outbox", "list", "--parked"));
  }

  @Test
  void anEventThatAPublisherHoldsIsBusy() throws Exception {
    MessageId id = record();
    try (HikariDataSource source = source();
        JdbcOutboxStore other = new JdbcOutboxStore(source);
        OutboxTransaction transaction = other.begin(new Passes(MailboxClock.system()))) {
      transaction.claim(id);
      assertEquals("busy", publish(4, id).path("result").asText());
      assertEquals(List.of(), service.sent);
    }
  }

  private List<JsonNode> replay(int expected, String topic, Instant since) throws Exception {
    return run(
        expected,
        "outbox",
        "replay",
        "--topic",
        topic,
        "--since",
        since.toString(),
        "--note",
        "audit begins",
        "--by",
        "ada",
        "--wait",
        "0s");
  }

  @Test
  void theHistoryGoesToATopicOnceMore() throws Exception {
    Instant start = Instant.now().minus(Duration.ofMinutes(1));
    MessageId first = record();
    publish(0, first);
    MessageId second = record();
    publish(0, second);
    record();
    service.sent.clear();
    List<JsonNode> lines = replay(0, TOPIC, start);
    assertEquals(List.of("false", "true"), texts(lines, "done"));
    assertEquals(List.of(first.toString(), second.toString()), service.sent);
    JsonNode end = lines.get(1);
    assertEquals(2, end.path("sent").asInt());
    assertEquals(0, end.path("refused").asInt(-1));
    assertTrue(audit().get(2).startsWith("ada replay to " + TOPIC + " since " + start));
    service.sent.clear();
    Instant resume = Instant.parse(end.path("resume_at").asText());
    replay(0, TOPIC, resume.plusNanos(1_000));
    assertEquals(List.of(), service.sent);
  }

  @Test
  void aReplayThatEndsEarlyTellsWhereToGoOn() throws Exception {
    Instant start = Instant.now().minus(Duration.ofMinutes(1));
    MessageId id = record();
    publish(0, id);
    service.refusal = 403;
    service.sent.clear();
    JsonNode end = replay(4, TOPIC, start).get(0);
    assertEquals("false", end.path("done").asText());
    assertEquals(0, end.path("sent").asInt(-1));
    assertTrue(end.path("error").asText().contains("403"), end.toString());
    service.refusal = 0;
    replay(0, TOPIC, Instant.parse(end.path("resume_at").asText()));
    assertEquals(List.of(id.toString()), service.sent);
  }

  @Test
  void aReplayWithRefusedEventsIsNotDone() throws Exception {
    publish(0, record());
    service.refusal = 409;
    List<JsonNode> lines = replay(1, TOPIC, Instant.now().minus(Duration.ofMinutes(1)));
    assertEquals(1, lines.get(lines.size() - 1).path("refused").asInt());
  }

  @Test
  void aReplayNeedsAConsumer() throws Exception {
    replay(2, "nobody", Instant.EPOCH);
    assertTrue(errors().contains("no consumer nobody"), errors());
    assertEquals(List.of(), audit());
  }
}
