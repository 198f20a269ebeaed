package org.svcmailbox.it.console;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.EventStream;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.Tokens;
import org.svcmailbox.it.server.MailboxServer;

/** The event stream: content, limits, and when it ends. */
@LimitedServer
class EventsIT {
  private final CallTarget target;
  private final MailboxClient operator;

  EventsIT(MailboxServer server, MailboxClient operator) {
    this.target = server.target();
    this.operator = operator;
  }

  private EventStream open(String query, String token) {
    return EventStream.open(target.with(token), query);
  }

  private static JsonNode topic(@Nullable JsonNode event, String name) {
    for (JsonNode topic : requireNonNull(event, "the end").path("topics")) {
      if (topic.path("name").asText().equals(name)) {
        return topic;
      }
    }
    throw new AssertionError("no " + name + " in " + event);
  }

  @Test
  void changesAreSent() throws IOException {
    operator.putTopic("told", Fields.NONE).expect(201);
    try (EventStream stream = open("?every_ms=1000", operator.mint("ops = peek"))) {
      assertEquals("text/event-stream", stream.header("Content-Type"));
      assertEquals("no-store", stream.header("Cache-Control"));
      assertEquals(0, topic(stream.next(), "told").path("depth").asLong());
      operator.send("told", "key", "x".getBytes(StandardCharsets.UTF_8)).expect(200);
      long depth = 0;
      while (depth == 0) {
        depth = topic(stream.next(), "told").path("depth").asLong();
      }
      assertEquals(1, depth);
    }
  }

  @Test
  void eventsMatchTheListOfTopics() throws IOException {
    operator.putTopic("listed", Fields.NONE).expect(201);
    try (EventStream stream = open("?limit=1", operator.mint())) {
      JsonNode told = stream.next();
      JsonNode listed = operator.topics().expect(200).json();
      assertEquals("durable", listed.path("dlq_profile").asText());
      ObjectNode entry = (ObjectNode) topic(listed, "listed");
      entry.remove("settings");
      assertEquals(entry, topic(told, "listed"));
      assertEquals(null, stream.next(), "one was asked for");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "?every_ms=999, every_ms",
    "?every_ms=60001, every_ms",
    "?limit=0, limit",
    "?top=0, top",
    "?top=201, top",
    "?q=a, top",
    "?sort=name, top",
    "?sort=size&top=1, sort",
    "?q=&top=1, q",
    "?topic=a%20b, topic",
    "?topic=a&top=1, topic",
    "?topic=a&sort=name, topic",
    "?x=1, x",
  })
  void aBadQueryIsRefusedByName(String query, String field) throws IOException {
    assertEquals(List.of(field), operator.get("/v1/events" + query).expect(400).fields());
  }

  @Test
  void aViewHasItsTopicsAndTheSumOfAllThatMatch() throws IOException {
    operator.putTopic("viewed.one", Fields.NONE).expect(201);
    operator.putTopic("viewed.two", Fields.NONE).expect(201);
    operator.send("viewed.two", "key", new byte[1]).expect(200);
    try (EventStream first = open("?limit=1&top=1&q=VIEWED&sort=ready", operator.mint())) {
      JsonNode told = requireNonNull(first.next());
      assertEquals(List.of("viewed.two"), told.findValuesAsText("name"));
      assertEquals(2, told.at("/totals/topics").asInt());
      assertEquals(1, told.at("/totals/ready").asInt());
    }
    String reader = operator.mint("ops = peek", "topic = viewed.one");
    try (EventStream one = open("?topic=viewed.one", reader)) {
      JsonNode told = requireNonNull(one.next());
      assertEquals(List.of("viewed.one"), told.findValuesAsText("name"));
      assertFalse(told.has("disk"), told::toString);
      operator.deleteTopic("viewed.one").expect(200);
      one.toItsEnd();
    }
    operator.with(reader).get("/v1/events?topic=viewed.two").expect(403);
    operator.get("/v1/events?topic=viewed.one").expect(404);
  }

  @Test
  void onlyGetIsAllowed() throws IOException {
    assertEquals(
        "GET", operator.post("/v1/events", Fields.NONE).expect(405).header("Allow").orElse(""));
  }

  @Test
  void theStreamRequiresTheRightToListTopics() throws IOException {
    operator.with(operator.mint("ops = dlq")).get("/v1/events").expect(403);
    operator.with(operator.mint("topic = told")).get("/v1/events").expect(403);
    operator.with(null).get("/v1/events").expect(401);
  }

  @Test
  void theStreamEndsWhenTheCapabilityExpires() throws IOException {
    String token = operator.mint();
    String end = "expires < " + Instant.now().plusSeconds(10).truncatedTo(ChronoUnit.MILLIS);
    try (EventStream stream = open("", Tokens.narrowed(token, end))) {
      stream.toItsEnd();
    }
  }

  @Test
  void theStreamEndsWhenTheCapabilityIsRevoked() throws IOException {
    String token = operator.mint();
    try (EventStream stream = open("?every_ms=60000", token)) {
      assertTrue(stream.next() != null);
      operator.post("/v1/capabilities/revoke", Fields.of("capability", token)).expect(200);
      stream.toItsEnd();
    }
  }

  @Test
  void streamsBeyondTheLimitAreRefusedUntilOneCloses() throws IOException {
    List<EventStream> open = new ArrayList<>();
    for (int i = 0; i < LimitedServer.STREAMS; i++) {
      // One capability would have its share of them only.
      open.add(open("", operator.mint()));
    }
    Scrape scrape = Scrape.of(operator.get("/metrics").expect(200).text());
    assertEquals(LimitedServer.STREAMS, scrape.value("bound_capacity{bound=\"event_streams\"}"));
    assertEquals(LimitedServer.STREAMS, scrape.value("bound_used{bound=\"event_streams\"}"));
    MailboxAnswer refused = operator.get("/v1/events").expect(429);
    assertEquals("event_streams", refused.reason());
    assertTrue(refused.header("Retry-After").isPresent());
    for (EventStream stream : open) {
      stream.close();
    }
    open("", operator.mint()).close();
  }
}
