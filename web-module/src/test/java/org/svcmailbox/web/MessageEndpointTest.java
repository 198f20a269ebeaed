package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single messages over HTTP. */
class MessageEndpointTest {
  private static final String ID = FakeLookups.LEASED.toString();

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  MessageEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void aMessageIsToldWithItsFacts() throws Exception {
    JsonNode expected =
        json(
            """
            {"msg_id": "%s", "now": "leased", "complete": true,
             "looked_at": "1970-01-01T00:00:30.000Z", "topic": "orders", "shard": 3, "seq": 17,
             "until": "1970-01-01T00:00:30.000Z",
             "facts": [
               {"kind": "sent", "at": "1970-01-01T00:00:00.000Z", "source": "inferred"},
               {"kind": "ledger", "source": "recorded", "note": "entry 17 of shard 3"},
               {"kind": "leased", "at": "1970-01-01T00:00:30.000Z", "source": "recorded",
                "attempt": 2, "by": "11111111111111111111111111111111",
                "by_name": "shop 7"}]}
            """
                .formatted(ID));
    assertEquals(expected, calls.call("GET", "/v1/messages/" + ID).json());
    assertEquals(404, calls.call("GET", "/v1/messages/01ARZ3NDEKTSV4RRFFQ69G5FAW").status());
  }

  @Test
  void messagesAreFoundByKeyAndByCorrelationId() throws Exception {
    JsonNode expected =
        json(
            """
            {"messages": [
               {"msg_id": "%1$s", "source": "key"},
               {"msg_id": "%1$s", "source": "letter", "dead_at": "1970-01-01T00:00:00.000Z"}],
             "complete": true}
            """
                .formatted(ID));
    assertEquals(expected, calls.call("GET", "/v1/messages?topic=orders&key=k%207").json());
    assertEquals("key orders k 7", server.lookups.asked);
    assertEquals(
        json("{\"messages\": [], \"complete\": false}"),
        calls.call("GET", "/v1/messages?topic=orders&corr_id=c").json());
    assertEquals("corr_id orders c", server.lookups.asked);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/messages, topic",
    "/v1/messages?key=k, topic",
    "/v1/messages?topic=orders, key",
    "/v1/messages?topic=orders&key=k&corr_id=c, key",
    "/v1/messages?topic=orders&key=, key",
    "/v1/messages?topic=orders&key=k&key=l, key",
    "/v1/messages?topic=a%20b&key=k, topic",
    "/v1/messages?topic=orders&key=k&limit=1, limit",
    "/v1/messages/short, msg_id",
    "/v1/messages/01arz3ndektsv4rrffq69g5fav, msg_id",
    "/v1/messages/01ARZ3NDEKTSV4RRFFQ69G5FAV?topic=orders, topic"
  })
  void aMalformedQuestionNamesItsField(String path, String field) throws Exception {
    HttpCalls.Answer answer = calls.call("GET", path);
    assertEquals(400, answer.status(), path);
    assertEquals(List.of(field), answer.fields(), path);
    assertEquals("", server.lookups.asked);
  }
}
