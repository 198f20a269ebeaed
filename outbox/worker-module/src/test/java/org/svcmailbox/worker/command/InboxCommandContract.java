package org.svcmailbox.worker.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.worker.run.Guards;

/** Commands for the messages of an inbox. */
abstract class InboxCommandContract extends CliFixture {
  private static final String SUBJECT = "vibespro.event.paid.v1";

  private final MessageId id = MessageId.next();

  @BeforeEach
  void migrate() throws Exception {
    run(0, "migrate");
  }

  private String process(int expected, String subject, Path payload) throws Exception {
    List<JsonNode> lines =
        run(
            expected,
            "inbox",
            "process",
            id.toString(),
            "--subject",
            subject,
            "--payload",
            payload.toString(),
            "--note",
            "lost",
            "--by",
            "ada");
    return lines.isEmpty() ? "" : lines.get(0).path("result").asText();
  }

  private String process(int expected) throws Exception {
    return process(expected, SUBJECT, file("payload.json", "{\"total\":3}"));
  }

  private String route(int expected) throws Exception {
    return run(
            expected,
            "inbox",
            "route",
            id.toString(),
            "--reason",
            "no such order",
            "--note",
            "agreed",
            "--by",
            "ada")
        .get(0)
        .path("result")
        .asText();
  }

  @Test
  void aMessageIsHandledOnce() throws Exception {
    assertEquals("processed", process(0));
    assertEquals("duplicate", process(1));
    assertEquals(1, handled.size());
    JsonNode event = MAPPER.readTree(handled.get(0));
    assertEquals(id.toString(), event.path("message_id").asText());
    assertEquals(3, event.path("payload").path("total").asInt());
    assertEquals("ada process " + id + " lost", audit().get(0));
    JsonNode line = run(0, "inbox", "list", "--state", "any").get(0);
    assertEquals("processed", line.path("state").asText());
    assertEquals(1, line.path("attempts").asInt());
    assertTrue(line.hasNonNull("processed_at"));
    assertEquals(List.of(), run(0, "inbox", "list"));
  }

  @Test
  void whatTheHandlerSaysIsTold() throws Exception {
    handlerStatus = 503;
    assertEquals("retry", process(4));
    JsonNode waiting = run(0, "inbox", "list", "--error", "BECAUSE").get(0);
    assertEquals("unprocessed", waiting.path("state").asText());
    assertEquals(id.toString(), waiting.path("id").asText());
    assertEquals(SUBJECT, waiting.path("subject").asText());
    handlerStatus = 422;
    assertEquals("dead", process(3));
    JsonNode dead = run(0, "inbox", "list", "--state", "dead").get(0);
    assertEquals("dead", dead.path("state").asText());
    assertTrue(dead.path("reason").asText().contains("because"), dead.toString());
    assertTrue(dead.hasNonNull("dead_at"));
    assertTrue(dead.path("msg_id").isMissingNode());
    handlerStatus = 409;
    assertEquals("already_processed", process(0));
  }

  @Test
  void messagesAreListedByErrorAndAge() throws Exception {
    handlerStatus = 503;
    process(4);
    assertEquals(List.of(), run(0, "inbox", "list", "--error", "another"));
    assertEquals(List.of(), run(0, "inbox", "list", "--older-than", "1h"));
    assertEquals(List.of(), run(0, "inbox", "list", "--state", "dead"));
    run(2, "inbox", "list", "--state", "lost");
  }

  @Test
  void aMessageThatIsBeingHandledIsBusy() throws Exception {
    try (HikariDataSource source = source();
        Guards guards = Guards.of(database(), source)) {
      boolean isShared = database().url().startsWith("jdbc:postgresql:");
      assertTrue(guards.guard().acquire("sea__from_vibespro", id));
      // On SQLite a guard ends at its process.
      assertEquals(isShared ? "busy" : "processed", process(isShared ? 4 : 0));
      guards.guard().release("sea__from_vibespro", id);
    }
  }

  @Test
  void aMessageBecomesADeadLetterOnce() throws Exception {
    assertEquals("unknown", route(1));
    assertEquals(List.of(), audit());
    handlerStatus = 503;
    process(4);
    assertEquals("routed", route(0));
    assertEquals("already_routed", route(1));
    JsonNode dead = run(0, "inbox", "list", "--state", "dead").get(0);
    assertEquals("no such order", dead.path("reason").asText());
    assertEquals("ada route " + id + " agreed", audit().get(1));
    JsonNode news = run(0, "outbox", "list").get(0);
    assertEquals("dlq." + SUBJECT, news.path("event_type").asText());
    assertEquals(id.toString(), news.path("causation_id").asText());
    handlerStatus = 200;
    process(0);
    assertEquals("processed", route(1));
  }

  @Test
  void aPayloadMustBeSmallJson() throws Exception {
    process(2, SUBJECT, Path.of("missing.json"));
    process(2, SUBJECT, file("no.json", "{"));
    assertTrue(errors().contains("not JSON"), errors());
    int most = EventRules.MAX_PAYLOAD_BYTES;
    process(2, SUBJECT, file("large.json", '"' + "a".repeat(most - 1) + '"'));
    assertTrue(errors().contains("512 KiB"), errors());
    assertEquals(List.of(), handled);
    process(0, SUBJECT, file("largest.json", '"' + "a".repeat(most - 2) + '"'));
  }

  @Test
  void aMessageNeedsAConsumerOfThisWorker() throws Exception {
    process(2, "shop.event.paid.v1", file("payload.json", "{}"));
    assertTrue(errors().contains("no consumer of this worker"), errors());
    process(2, "paid", file("payload.json", "{}"));
    assertEquals(List.of(), audit());
  }

  private void addConsumer() throws Exception {
    file(
        "streams.toml",
        Files.readString(directory.resolve("streams.toml"))
            + """
            [[consumer]]
            stream = "VIBESPRO_EVENTS"
            durable = "billing"
            filter_subject = "vibespro.event.paid.*"
            handler = "%s/handle"
            """
                .formatted(handler.uri()));
    file(
        "worker.toml",
        Files.readString(directory.resolve("worker.toml"))
            .replace("[\"sea__from_vibespro\"]", "[\"sea__from_vibespro\", \"billing\"]"));
  }

  private List<JsonNode> inbox(int expected, String command, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("inbox", command, id.toString(), "--note", "lost"));
    line.addAll(List.of(arguments));
    return run(expected, line.toArray(String[]::new));
  }

  @Test
  void aMessageOfTwoConsumersNeedsTheNameOfOne() throws Exception {
    addConsumer();
    String[] event = {"--subject", SUBJECT, "--payload", file("payload.json", "{}").toString()};
    inbox(2, "process", event);
    assertTrue(errors().contains("(sea__from_vibespro, billing)"), errors());
    handlerStatus = 503;
    for (String consumer : List.of("sea__from_vibespro", "billing")) {
      inbox(4, "process", event[0], event[1], event[2], event[3], "--consumer", consumer);
    }
    assertEquals(2, handled.size());
    assertEquals(
        List.of("billing"), texts(run(0, "inbox", "list", "--consumer", "billing"), "consumer"));
    assertEquals(2, run(0, "inbox", "list").size());
    inbox(2, "route", "--reason", "no");
    assertTrue(errors().contains("name one with --consumer"), errors());
    inbox(1, "route", "--reason", "no", "--consumer", "audit");
    inbox(0, "route", "--reason", "no", "--consumer", "billing");
    assertEquals(List.of("billing"), texts(run(0, "inbox", "list", "--state", "dead"), "consumer"));
    handlerStatus = 200;
    inbox(0, "process", event[0], event[1], event[2], event[3], "--consumer", "billing");
    assertEquals(List.of("sea__from_vibespro"), texts(run(0, "inbox", "list"), "consumer"));
  }
}
