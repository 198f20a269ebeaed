package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.client.Tokens;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;

/** The OWASP API Security Top 10 of 2023, as far as it concerns a service like this one. */
@ContractTest
class OwaspIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration CUT = Duration.ofSeconds(60);

  private final MailboxServer server;
  private final MailboxClient operator;
  private final String mine = TestTopics.fresh("mine");
  private final String yours = TestTopics.fresh("yours");

  OwaspIT(MailboxServer server, MailboxClient operator) {
    this.server = server;
    this.operator = operator;
  }

  private Message heldByYou() throws IOException {
    operator.send(yours, TestTopics.fresh("key"), new byte[] {1}).expect(200);
    Fields request = Fields.of("topic", yours).with("wait_ms", 5_000).with("visibility_ms", 60_000);
    return operator.recv(request).expect(200).message();
  }

  @Test
  void api1NobodyReachesAnotherTopicsMessagesByTheirIds() throws IOException {
    Message message = heldByYou();
    MailboxClient me = operator.with(operator.mint("topic = " + mine));
    String id = message.msgId();
    List<MailboxAnswer> answers =
        List.of(
            me.ack(id, null),
            me.ack(message),
            me.nack(message, Fields.NONE),
            me.nack(message, Fields.of("dead_letter", true).with("reason", "mine")),
            me.extend(message, Duration.ofSeconds(1)),
            me.recv(yours),
            me.topic(yours),
            me.get("/v1/dlq/" + yours),
            me.get("/v1/dlq/" + yours + "/groups"),
            me.get("/v1/dlq/" + yours + "/" + id),
            me.get("/v1/topics/" + yours + "/scheduled"),
            me.call("DELETE", "/v1/topics/" + yours + "/scheduled/" + id, Fields.NONE),
            me.putTopic(yours, Fields.NONE),
            me.deleteTopic(yours));
    for (MailboxAnswer answer : answers) {
      assertEquals("topic", answer.expect(403).reason());
    }
    JsonNode element = me.ackBatch(List.of(message)).expect(200).results().get(0);
    assertEquals("E_CAP_SCOPE", element.at("/error/code").asText());
    operator.ack(message).expect(200);
  }

  @Test
  void api2WhatIsNoWholeGenuineTokenIsNone() throws IOException {
    String good = operator.mint();
    byte[] bytes = Base64.getUrlDecoder().decode(good);
    bytes[bytes.length - 1] ^= 1;
    String flipped = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    List<String> bad =
        List.of(
            "x",
            good.substring(0, good.length() - 1),
            good + "A",
            good + "=",
            " " + good.substring(1),
            flipped,
            good.toUpperCase(java.util.Locale.ROOT),
            "x".repeat(5_000));
    for (String token : bad) {
      assertEquals("invalid", operator.with(token).topics().expect(401).reason(), token);
    }
  }

  @Test
  void api2ATokenIsTakenFromTheHeaderOnlyAndAsABearers() throws IOException {
    String good = operator.mint();
    assertEquals(401, operator.with(null).get("/v1/topics?access_token=" + good).status());
    CallTarget anybody = server.target().with(null);
    for (String header : List.of("Basic " + good, good, "Bearer", "Bearer" + good)) {
      try (RawConnection raw = anybody.connect()) {
        raw.send(anybody.head("GET", "/v1/topics") + "Authorization: " + header + "\r\n\r\n");
        assertEquals(401, raw.receive(SOON).status(), header);
      }
    }
    try (RawConnection raw = anybody.connect()) {
      raw.send(anybody.head("GET", "/v1/topics") + "Authorization: bEARER " + good + "\r\n\r\n");
      assertEquals(200, raw.receive(SOON).status(), "the scheme's case does not matter");
    }
  }

  @Test
  void api3FieldsThatAreNotACallersToSetAreRefused() throws IOException {
    Fields send = Fields.send(mine, "key", new byte[1]);
    for (String field : List.of("msg_id", "seq", "attempt", "ts", "hash_chain", "shard")) {
      assertEquals(List.of(field), operator.send(send.with(field, 1)).expect(400).fields());
    }
    Fields mint = Fields.of("caveats", List.of()).with("expires_in", "1m");
    for (String field : List.of("nonce", "key_id", "capability", "expires")) {
      MailboxAnswer refused = operator.post("/v1/capabilities", mint.with(field, "x")).expect(400);
      assertEquals(List.of(field), refused.fields());
    }
    assertEquals(List.of("id"), operator.putTopic(mine, Fields.of("id", 1)).expect(400).fields());
  }

  @Test
  void api3AnswersShowNothingThatIsSecret() throws IOException {
    String minted = operator.mint("ops = send");
    MailboxClient narrow = operator.with(minted);
    for (MailboxAnswer answer :
        List.of(
            narrow.topics(),
            narrow.recv(mine),
            narrow.post("/v1/capabilities/revoke", Fields.of("capability", minted)),
            operator.topics(),
            operator.get("/v1/audit?limit=10000"),
            operator.get("/v1/capabilities?limit=1000"),
            operator.get("/openapi"))) {
      assertFalse(answer.text().contains(minted.substring(minted.length() - 40)), answer.text());
    }
  }

  @Test
  void api4WhatACallCanAskForHasAnEnd() throws IOException {
    Fields recv = Fields.of("topic", mine);
    operator.recv(recv.with("max_messages", 101)).expect(400);
    operator.recv(recv.with("wait_ms", 30_001)).expect(400);
    operator.recv(recv.with("visibility_ms", 43_200_001)).expect(400);
    operator.get("/v1/dlq/" + mine + "?limit=101").expect(400);
    operator.get("/v1/topics?limit=1001").expect(400);
    operator.get("/v1/topics/" + mine + "/scheduled?limit=101").expect(400);
    operator.get("/v1/capabilities?limit=1001").expect(400);
    operator.get("/v1/audit?limit=10001").expect(400);
    Fields send = Fields.send(mine, "key", new byte[1]);
    operator.sendBatch(java.util.Collections.nCopies(101, send)).expect(400);
    operator.send(mine, "key", new byte[1_048_577]).expect(413);
    Fields mint = Fields.of("caveats", List.of()).with("expires_in", "3651d");
    operator.post("/v1/capabilities", mint).expect(400);
  }

  @Test
  @OnlyOnWildFly("`read_timeout` and `write_timeout` bound whole")
  void api4AHeadThatNeverEndsIsCut() throws IOException {
    try (RawConnection raw = server.target().connect()) {
      raw.send("GET /readyz HTTP/1.1\r\nX-Slow: ");
      Deadline deadline = Deadline.in(CUT);
      assertThrows(
          IOException.class,
          () -> {
            while (true) {
              assertTrue(deadline.left().toMillis() > 0, "it is never cut");
              raw.send("x");
              raw.isSilentFor(Duration.ofMillis(500));
            }
          });
    }
  }

  @Test
  void api4ACapabilitysRateIsKeptHoweverItIsNarrowed() throws IOException {
    String limited = operator.mint("rate = 3/h", "ops = peek");
    MailboxClient one = operator.with(limited);
    MailboxClient other =
        operator.with(Tokens.narrowed(Tokens.narrowed(limited, "rate = 3/h"), "ops = peek"));
    one.topics().expect(200);
    other.topics().expect(200);
    one.topics().expect(200);
    for (MailboxClient client : List.of(one, other)) {
      MailboxAnswer refused = client.topics().expect(429);
      assertEquals("rate_capability", refused.reason());
      assertTrue(Long.parseLong(refused.header("Retry-After").orElse("0")) > 1_000);
    }
    operator.with(operator.mint("rate = 3/h", "ops = peek")).topics().expect(200);
  }

  @Test
  void api4ACapabilitysCeilingIsKeptHoweverItIsNarrowed() throws IOException {
    for (int i = 0; i < 4; i++) {
      operator.send(mine, "key" + i, new byte[1]).expect(200);
    }
    String limited = operator.mint("max_inflight = 2");
    Fields two =
        Fields.of("topic", mine)
            .with("max_messages", 10)
            .with("wait_ms", 5_000)
            .with("visibility_ms", 60_000);
    List<Message> held = operator.with(limited).recvAll(two, 2);
    assertEquals(2, held.size());
    MailboxClient other = operator.with(Tokens.narrowed(limited, "topic = " + mine));
    assertEquals("max_inflight", other.recv(two).expect(429).reason());
    other.ack(held.get(0)).expect(200);
    assertEquals(1, other.recv(two).expect(200).messages().size());
  }

  @Test
  void api5WhoIsNoOperatorDoesNoneOfHisWork() throws IOException {
    MailboxClient client = operator.with(operator.mint("ops = send,recv,ack,nack,extend,peek,dlq"));
    MailboxClient ofOneTopic = operator.with(operator.mint("topic = " + mine));
    for (MailboxClient each : List.of(client, ofOneTopic)) {
      each.post("/v1/capabilities", Fields.of("caveats", List.of()).with("expires_in", "1m"))
          .expect(403);
      each.post("/v1/capabilities/rotate", Fields.NONE).expect(403);
      each.post("/v1/capabilities/revoke", Fields.of("nonce", "0".repeat(32))).expect(403);
      each.get("/v1/capabilities").expect(403);
      each.get("/v1/audit").expect(403);
    }
    client.putTopic(mine, Fields.NONE).expect(403);
    client.deleteTopic(mine).expect(403);
    assertEquals(403, ofOneTopic.topics().status(), "the list of all topics");
  }

  @Test
  void api5WhatIsMintedIsNeverWiderThanItsMinter() throws IOException {
    MailboxClient narrow = operator.with(operator.mint("ops = admin,send", "ip = 127.0.0.0/8"));
    String minted = narrow.mint("ops = admin,send,recv");
    List<String> caveats = Macaroon.parse(minted).caveats();
    assertTrue(caveats.containsAll(List.of("ops = admin,send", "ip = 127.0.0.0/8")));
    assertEquals("operation", operator.with(minted).recv(mine).expect(403).reason());
    operator.with(minted).send(mine, "key", new byte[1]).expect(200);
  }

  @Test
  void api8NothingIsSaidOfWhatRunsHere() throws IOException {
    for (MailboxAnswer answer :
        List.of(operator.topics(), operator.get("/nothing"), operator.with(null).topics())) {
      for (String header :
          List.of("Server", "X-Powered-By", "Access-Control-Allow-Origin", "Set-Cookie")) {
        assertFalse(answer.header(header).isPresent(), header);
      }
      assertEquals("nosniff", answer.header("X-Content-Type-Options").orElse(""));
      assertEquals("no-store", answer.header("Cache-Control").orElse(""));
      assertFalse(answer.text().contains("\tat "), answer::text);
    }
  }

  @Test
  void api8MethodsThatNobodyNeedsAreRefused() throws IOException {
    for (String method : List.of("TRACE", "PATCH", "CONNECT", "BREW")) {
      try (RawConnection raw = server.target().connect()) {
        raw.send(server.target().head(method, "/v1/send") + "Content-Length: 0\r\n\r\n");
        int status = raw.receive(SOON).status();
        assertTrue((status >= 400 && status < 500) || status == 501, method + " " + status);
      }
    }
  }

  @Test
  void api8NothingOfTheServerItselfIsPublished() throws IOException {
    for (String path :
        List.of(
            "/management", "/wildfly-services", "/jolokia", "/h2-console", "/welcome-content")) {
      Map<Integer, String> answer = Map.of(operator.get(path).status(), path);
      assertTrue(answer.containsKey(404), answer::toString);
    }
  }
}
