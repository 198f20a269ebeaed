package org.svcmailbox.it.console;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.Tokens;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** Those who look on: what they are told, and when it ends. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EventsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST = 3;

  private static MailboxServer server;
  private static MailboxClient operator;

  @BeforeAll
  static void start() throws IOException {
    server =
        MailboxServer.start("events", Map.of("MAILBOX_EVENTS_MAX_STREAMS", Integer.toString(MOST)));
    operator = new MailboxClient(server.target());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** One who looks on. */
  private static final class Stream implements AutoCloseable {
    private final HttpResponse<InputStream> response;

    Stream(String query, String token) throws IOException {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri().resolve("/v1/events" + query))
              .header("Authorization", "Bearer " + token)
              .build();
      try {
        response =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, BodyHandlers.ofInputStream());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }

    /** The data of the next event; null at the end of the stream. */
    @Nullable JsonNode next() throws IOException {
      List<String> event = new ArrayList<>();
      for (String line = line(); line != null; line = line()) {
        if (!line.isEmpty()) {
          event.add(line);
        } else if (event.equals(List.of(":"))) {
          event.clear();
        } else {
          assertEquals("event: topics", event.get(0));
          assertTrue(event.get(1).startsWith("data: "), event::toString);
          assertEquals(2, event.size());
          return JSON.readTree(event.get(1).substring("data: ".length()));
        }
      }
      assertEquals(List.of(), event, "half an event");
      return null;
    }

    /** Reads until there is nothing more. */
    void toItsEnd() throws IOException {
      JsonNode event = next();
      while (event != null) {
        event = next();
      }
    }

    private @Nullable String line() throws IOException {
      StringBuilder line = new StringBuilder();
      int read = response.body().read();
      while (read >= 0 && read != '\n') {
        line.append((char) read);
        read = response.body().read();
      }
      return read < 0 && line.isEmpty() ? null : line.toString();
    }

    @Override
    public void close() throws IOException {
      response.body().close();
    }
  }

  /** One who looks on as soon as there is a place: who has just gone may still have theirs. */
  private static Stream open(String query, String token) {
    Stream[] opened = new Stream[1];
    Deadline.in(Duration.ofSeconds(60))
        .await(
            () -> {
              Stream stream = new Stream(query, token);
              opened[0] = stream;
              return stream.response.statusCode() == 200;
            },
            () -> "no place");
    return opened[0];
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
  void whatChangesIsTold() throws IOException {
    operator.putTopic("told", Fields.NONE).expect(201);
    try (Stream stream = open("?every_ms=1000", operator.mint("ops = peek"))) {
      assertEquals(
          "text/event-stream", stream.response.headers().firstValue("Content-Type").orElse(""));
      assertEquals("no-store", stream.response.headers().firstValue("Cache-Control").orElse(""));
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
  void itIsWhatTheListOfTopicsSays() throws IOException {
    operator.putTopic("listed", Fields.NONE).expect(201);
    try (Stream stream = open("?limit=1", operator.mint())) {
      JsonNode told = stream.next();
      JsonNode listed = operator.topics().expect(200).json();
      assertEquals("durable", listed.path("dlq_profile").asText());
      assertEquals(topic(listed, "listed"), topic(told, "listed"));
      assertEquals(null, stream.next(), "one was asked for");
    }
  }

  @ParameterizedTest
  @CsvSource({"?every_ms=999, every_ms", "?every_ms=60001, every_ms", "?limit=0, limit", "?x=1, x"})
  void aBadQueryIsRefusedByName(String query, String field) throws IOException {
    assertEquals(List.of(field), operator.get("/v1/events" + query).expect(400).fields());
  }

  @Test
  void onlyGetIsTaken() throws IOException {
    assertEquals(
        "GET", operator.post("/v1/events", Fields.NONE).expect(405).header("Allow").orElse(""));
  }

  @Test
  void whoeverMayNotListTopicsIsToldNothing() throws IOException {
    operator.with(operator.mint("ops = dlq")).get("/v1/events").expect(403);
    operator.with(operator.mint("topic = told")).get("/v1/events").expect(403);
    operator.with(null).get("/v1/events").expect(401);
  }

  @Test
  void itEndsWithTheCapability() throws IOException {
    String token = operator.mint();
    String end = "expires < " + Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.MILLIS);
    try (Stream stream = open("", Tokens.narrowed(token, end))) {
      stream.toItsEnd();
    }
  }

  @Test
  void itEndsWhenTheCapabilityIsRevoked() throws IOException {
    String token = operator.mint();
    try (Stream stream = open("?every_ms=60000", token)) {
      assertTrue(stream.next() != null);
      operator.post("/v1/capabilities/revoke", Fields.of("capability", token)).expect(200);
      stream.toItsEnd();
    }
  }

  @Test
  void oneTooManyIsRefusedAndAPlaceThatIsLeftIsFree() throws IOException {
    String token = operator.mint();
    List<Stream> open = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      open.add(open("", token));
    }
    Scrape scrape = Scrape.of(operator.get("/metrics").expect(200).text());
    assertEquals(MOST, scrape.value("bound_capacity{bound=\"event_streams\"}"));
    assertEquals(MOST, scrape.value("bound_used{bound=\"event_streams\"}"));
    MailboxAnswer refused = operator.get("/v1/events").expect(429);
    assertEquals("event_streams", refused.reason());
    assertTrue(refused.header("Retry-After").isPresent());
    for (Stream stream : open) {
      stream.close();
    }
    open("", token).close();
  }

  /**
   * While a message is held the server waits a while before it goes. No test needs it afterwards.
   */
  @Test
  @Order(Integer.MAX_VALUE)
  void itEndsWhenTheServerStops() throws IOException {
    operator.send("held", "key", new byte[] {1}).expect(200);
    Fields hold = Fields.of("topic", "held").with("wait_ms", 5_000).with("visibility_ms", 60_000);
    assertEquals(1, operator.recvAll(hold, 1).size());
    try (Stream stream = open("?every_ms=60000", operator.mint())) {
      assertTrue(stream.next() != null);
      assertEquals(0, server.terminate());
      stream.toItsEnd();
    }
  }
}
