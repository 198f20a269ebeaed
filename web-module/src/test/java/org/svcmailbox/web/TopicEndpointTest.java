package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.ServletException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.delivery.TopicContents.ScheduledPage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.web.HttpCalls.Answer;

/** Topic contents and ledgers over HTTP. */
class TopicEndpointTest {
  private static final ShardId SHARD = new ShardId(new TopicName("orders"), 0);

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  TopicEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Answer get(String path) throws Exception {
    return calls.call("GET", "/v1/topics/orders/" + path);
  }

  private Answer put(String... headers) throws Exception {
    HttpRequest.Builder request =
        calls.request("PUT", "/v1/topics/orders", BodyPublishers.ofString("{}"));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return calls.call(request);
  }

  @Test
  void aTopicIsMadeOnlyIfItIsMissing() throws Exception {
    assertEquals(201, put("If-None-Match", "*").status());
    Answer refused = put("If-None-Match", " * ");
    assertEquals(412, refused.status());
    assertEquals("E_PRECONDITION", refused.json().path("code").asText());
    assertEquals(400, put("If-None-Match", "\"1.1\"").status());
    assertEquals(400, put("If-None-Match", "*", "If-Match", "*").status());
    assertEquals(200, put().status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "* | 200",
        "\"1.1\" | 200",
        "\"0.9\", \"1.1\" | 200",
        "\"0.9\",\"1.1\" | 200",
        "\"1.2\" | 412",
        "\"\" | 412",
        "W/\"1.1\" | 412",
        "W/\"1.1\", \"1.1\" | 200",
        "1.1 | 400",
        "\"1.1 | 400",
        "\"1.1\", | 400",
        "\"1.1\" \"1.2\" | 400",
        "*, \"1.1\" | 400",
        "'' | 400",
        "w/\"1.1\" | 400",
      })
  void settingsChangeOnlyFromTheVersionThatWasRead(String match, int status) throws Exception {
    Answer made = put();
    assertEquals("\"1.1\"", made.header("ETag"));
    Answer answer = put("If-Match", match);
    assertEquals(status, answer.status(), answer.response().body());
    HttpRequest.Builder change =
        calls.request("PATCH", "/v1/topics/orders", BodyPublishers.ofString("{}"));
    assertEquals(status, calls.call(change.header("If-Match", match)).status());
  }

  @Test
  void severalHeadersAreOneList() throws Exception {
    put();
    assertEquals(200, put("If-Match", "\"0.9\"", "If-Match", "\"1.1\"").status());
    assertEquals(400, put("If-None-Match", "*", "If-None-Match", "*").status());
  }

  @Test
  void aTopicThatIsGoneHasNoVersion() throws Exception {
    put();
    assertEquals(200, calls.call("DELETE", "/v1/topics/orders").status());
    assertEquals(412, put("If-Match", "*").status());
    assertEquals(412, put("If-Match", "\"1.1\"").status());
    HttpRequest.Builder change =
        calls.request("PATCH", "/v1/topics/orders", BodyPublishers.ofString("{}"));
    assertEquals(404, calls.call(change.header("If-Match", "*")).status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "\"all\":true | all",
        "\"holder\":\"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb\" | nonce aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb",
        "\"msg_ids\":[\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"] | messages [01ARZ3NDEKTSV4RRFFQ69G5FAV]",
      })
  void leasesEndOfAHolderOfMessagesOrOfAll(String which, String asked) throws Exception {
    String path = "/v1/topics/orders/leases/end";
    Answer ended = calls.post(path, "{" + which + ",\"note\":\" it hangs \"}");
    assertEquals("{\"ended\":5}", ended.response().body());
    assertEquals("withdraw orders " + asked + ": it hangs", server.holdings.asked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{} | holder,note",
        "{\"note\":\"n\"} | holder",
        "{\"all\":true} | note",
        "{\"all\":false,\"note\":\"n\"} | all",
        "{\"all\":true,\"holder\":\"aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb\",\"note\":\"n\"} | holder",
        "{\"holder\":\"A\",\"note\":\"n\"} | holder",
        "{\"msg_ids\":[],\"note\":\"n\"} | msg_ids",
        "{\"msg_ids\":[\"x\"],\"note\":\"n\"} | msg_ids",
        "{\"msg_ids\":[null],\"note\":\"n\"} | msg_ids",
        "{\"all\":true,\"note\":\" \"} | note",
        "{\"all\":true,\"note\":\"n\",\"of\":1} | of",
      })
  void aBadEndOfLeasesIsRefusedByName(String body, String fields) throws Exception {
    Answer refused = calls.post("/v1/topics/orders/leases/end", body);
    assertEquals(400, refused.status());
    assertEquals(fields, String.join(",", refused.fields()));
    assertEquals("", server.holdings.asked);
  }

  @Test
  void aHundredMessagesAreTheMost() throws Exception {
    String id = "\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"";
    String path = "/v1/topics/orders/leases/end";
    String most = String.join(",", Collections.nCopies(100, id));
    String form = "{\"note\":\"n\",\"msg_ids\":[%s]}";
    assertEquals(200, calls.post(path, form.formatted(most)).status());
    assertEquals(400, calls.post(path, form.formatted(most + "," + id)).status());
  }

  @Test
  void holdersOfLeasesAreListed() throws Exception {
    assertEquals(
        "{\"holders\":[{\"holder\":\""
            + "1".repeat(32)
            + "\",\"holder_name\":\"stock\",\"count\":7,\"bytes\":70,"
            + "\"oldest_at\":\"1970-01-01T00:00:00.000Z\",\"topics\":[\"orders\",\"t\"]}]}",
        calls.call("GET", "/v1/leases").response().body());
  }

  @Test
  void leasesAreListedWithTheirHoldersAndNeverTheirReceipts() throws Exception {
    JsonNode leases = calls.call("GET", "/v1/topics/orders/leases").json().path("leases");
    assertEquals("leases orders 50", server.holdings.asked);
    assertEquals(
        "{\"msg_id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\",\"shard\":3,\"attempt\":2,"
            + "\"leased_at\":\"1970-01-01T00:00:00.000Z\",\"deadline\":\"1970-01-01T00:00:30.000Z\","
            + "\"until\":\"1970-01-01T00:00:30.000Z\",\"payload_bytes\":9,\"holder\":\""
            + "1".repeat(32)
            + "\",\"holder_name\":\"stock\"}",
        leases.get(0).toString());
    assertTrue(leases.get(1).path("holder").isMissingNode());
    assertTrue(leases.get(1).path("holder_name").isMissingNode());
    assertEquals(200, get("leases?limit=100").status());
    assertEquals("leases orders 100", server.holdings.asked);
    for (String refused : List.of("limit=0", "limit=101", "limit=x", "of=1")) {
      assertEquals(400, get("leases?" + refused).status(), refused);
    }
  }

  @Test
  void boundsAreListedWithTheirHolders() throws Exception {
    JsonNode bound = calls.call("GET", "/v1/bounds").json().path("bounds").get(0);
    assertEquals("global_inflight", bound.path("reason").asText());
    assertEquals(7, bound.path("used").asLong());
    assertEquals(20_000, bound.path("capacity").asLong());
    assertEquals("orders", bound.path("topics").get(0).path("holder").asText());
    assertEquals("0".repeat(32), bound.path("capabilities").get(0).path("holder").asText());
    assertEquals(7, bound.path("capabilities").get(0).path("amount").asLong());
  }

  @Test
  void streamsAreListedWithTheirHolders() throws Exception {
    JsonNode streams = calls.call("GET", "/v1/streams").json().path("streams");
    JsonNode paused = streams.get(0);
    assertEquals("orders", paused.path("topic").asText());
    assertEquals("grpc", paused.path("door").asText());
    assertEquals("1".repeat(32), paused.path("capability").asText());
    assertEquals("1970-01-01T00:00:00.000Z", paused.path("since").asText());
    assertEquals(7, paused.path("unsettled").asInt());
    assertEquals("window", paused.path("paused").asText());
    assertTrue(streams.get(1).path("paused").isMissingNode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "peek | peek orders null 10",
        "peek?limit=100 | peek orders null 100",
        "peek?shard=3&limit=1 | peek orders 3 1",
        "scheduled | scheduled orders 0 50",
        "scheduled?limit=100&cursor=77-01ARZ3NDEKTSV4RRFFQ69G5FAV | scheduled orders 77 100",
        "ledger?shard=0 | ledger orders 0 1 100",
        "ledger?shard=255&from=77&limit=1000 | ledger orders 255 77 1000",
        "ledger/verify?shard=2 | verify orders 2 1",
        "ledger/verify?shard=2&from=5 | verify orders 2 5"
      })
  void aQueryIsPassedOn(String path, String asked) throws Exception {
    assertEquals(200, get(path).status());
    assertEquals(asked, server.contents.asked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "peek?limit=0 | limit",
        "peek?limit=101 | limit",
        "peek?limit=some | limit",
        "peek?limit=1&limit=2 | limit",
        "peek?shard=-1 | shard",
        "peek?shard=256 | shard",
        "peek?what=1 | what",
        "scheduled?limit=101 | limit",
        "scheduled?cursor=77 | cursor",
        "scheduled?cursor=77-ZZZZZZZZZZZZZZZZZZZZZZZZZZ | cursor",
        "scheduled?cursor=9999999999999999-01ARZ3NDEKTSV4RRFFQ69G5FAV | cursor",
        "scheduled?shard=1 | shard",
        "ledger | shard",
        "ledger?shard=0&from=0 | from",
        "ledger?shard=0&limit=1001 | limit",
        "ledger?shard=0&from=99999999999999999999 | from",
        "ledger/verify | shard",
        "ledger/verify?shard=0&limit=1 | limit"
      })
  void aBadQueryIsRefusedByName(String path, String field) throws Exception {
    Answer refused = get(path);
    assertEquals(400, refused.status());
    assertEquals(List.of(field), refused.fields());
    assertEquals("", server.contents.asked);
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnce() throws Exception {
    assertEquals(
        Set.of("x", "limit", "from", "shard"),
        Set.copyOf(get("ledger?x=1&limit=0&from=no").fields()));
  }

  @Test
  void aCheckSaysOneOfTwoThings() throws Exception {
    server.contents.verdict = new LedgerVerdict.Intact(12);
    Answer intact = get("ledger/verify?shard=0");
    assertEquals(12, intact.json().path("intact_up_to").asLong());
    assertFalse(intact.json().has("broken_at"));

    server.contents.verdict = new LedgerVerdict.BrokenAt(7);
    Answer broken = get("ledger/verify?shard=0");
    assertEquals(7, broken.json().path("broken_at").asLong());
    assertFalse(broken.json().has("intact_up_to"));
  }

  @Test
  void scheduledMessagesComeWithTheirTimesAndTheNextPage() throws Exception {
    Envelope envelope = SampleMessages.message(SHARD, 1, Instant.EPOCH).envelope();
    ScheduledMessage message =
        new ScheduledMessage(envelope, Instant.parse("2030-01-01T00:00:00Z"), "no");
    server.contents.scheduled = new ScheduledPage(List.of(message), message.position());
    JsonNode page = get("scheduled").json();
    JsonNode told = page.path("messages").get(0);
    assertEquals(envelope.msgId().toString(), told.path("msg_id").asText());
    assertEquals("2030-01-01T00:00:00.000Z", told.path("due").asText());
    assertEquals("no", told.path("last_error").asText());
    assertFalse(told.has("payload"));
    get("scheduled?cursor=" + page.path("next_cursor").asText());
    assertEquals("scheduled orders 1893456000000 50", server.contents.asked);
  }

  @Test
  void cancellingNamesTheMessage() throws Exception {
    String id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    Answer canceled = calls.call("DELETE", "/v1/topics/orders/scheduled/" + id);
    assertEquals("{\"ok\":true}", canceled.response().body());
    assertEquals("cancel orders " + id, server.contents.asked);
    assertEquals(400, calls.call("DELETE", "/v1/topics/orders/scheduled/x").status());
  }

  @Test
  void purgingSaysHowMuch() throws Exception {
    Answer purged = calls.call("POST", "/v1/topics/orders/purge");
    assertEquals(200, purged.status());
    assertEquals(7, purged.json().path("purged").asLong());
    assertEquals("purge orders", server.contents.asked);
  }
}
