package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.OctetClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * One good call of every route, for tests that go through all of them. The operator first creates
 * what a call needs.
 */
final class SampleCalls {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Taken by tests that start jobs, need all jobs that may run, or count what jobs did. */
  static final String JOBS = "jobs";

  /** Lock of tests that replace the access rules of the rendezvous door or depend on them. */
  static final String ACCESS = "access";

  /** The suffix of a route that is called with a bare payload. */
  static final String OCTETS = " as application/octet-stream";

  /** It would go on for half an hour, so only its head is read. */
  private static final String STREAM = "POST /v1/recv/stream";

  /** Topics that its caller may not see do not exist for it. */
  static final String MESSAGE = "GET /v1/messages/{msg_id}";

  /** Makes a body for a topic; null for none. */
  private interface Body {
    Fields of(String topic) throws IOException;
  }

  private final MailboxClient operator;
  private final Map<String, Body> bodies =
      Map.ofEntries(
          Map.entry("POST /v1/send", SampleCalls::send),
          Map.entry("POST /v1/send/batch", topic -> Fields.of("messages", List.of(send(topic)))),
          Map.entry("POST /v1/recv", topic -> Fields.of("topic", topic)),
          Map.entry(STREAM, topic -> Fields.of("topic", topic)),
          Map.entry("POST /v1/ack", this::leased),
          Map.entry("POST /v1/ack/batch", topic -> Fields.of("acks", List.of(leased(topic)))),
          Map.entry("POST /v1/nack", this::leased),
          Map.entry("POST /v1/nack/batch", topic -> Fields.of("nacks", List.of(leased(topic)))),
          Map.entry("POST /v1/extend", this::extension),
          Map.entry(
              "POST /v1/extend/batch", topic -> Fields.of("extends", List.of(extension(topic)))),
          Map.entry("GET /v1/topics", topic -> Fields.NONE),
          Map.entry("GET /v1/topics/{topic}", topic -> Fields.NONE),
          Map.entry("PUT /v1/topics/{topic}", topic -> Fields.NONE),
          Map.entry("PATCH /v1/topics/{topic}", topic -> Fields.NONE),
          Map.entry("DELETE /v1/topics/{topic}", topic -> Fields.NONE),
          Map.entry("POST /v1/topics/{topic}/pause", topic -> Fields.NONE),
          Map.entry("POST /v1/topics/{topic}/resume", topic -> Fields.NONE),
          Map.entry("POST /v1/topics/{topic}/purge", topic -> Fields.NONE),
          Map.entry(
              "POST /v1/topics/{topic}/leases/end",
              topic -> Fields.of("all", true).with("note", "a sample")),
          Map.entry("GET /v1/leases", topic -> Fields.NONE),
          Map.entry("GET /v1/topics/{topic}/leases", topic -> Fields.NONE),
          Map.entry("GET /v1/bounds", topic -> Fields.NONE),
          Map.entry("GET /v1/streams", topic -> Fields.NONE),
          Map.entry("GET /v1/state", topic -> Fields.NONE),
          Map.entry("GET /v1/cluster", topic -> Fields.NONE),
          Map.entry("GET /v1/history", topic -> Fields.NONE),
          Map.entry("GET /v1/messages", topic -> Fields.NONE),
          Map.entry(MESSAGE, topic -> Fields.NONE),
          Map.entry("GET /v1/topics/{topic}/peek", topic -> Fields.NONE),
          Map.entry("GET /v1/topics/{topic}/scheduled", topic -> Fields.NONE),
          Map.entry("DELETE /v1/topics/{topic}/scheduled/{msg_id}", topic -> Fields.NONE),
          Map.entry("GET /v1/topics/{topic}/ledger", topic -> Fields.NONE),
          Map.entry("GET /v1/topics/{topic}/ledger/verify", topic -> Fields.NONE),
          Map.entry("GET /v1/dlq/{topic}", topic -> Fields.NONE),
          Map.entry("GET /v1/dlq/{topic}/groups", topic -> Fields.NONE),
          Map.entry("GET /v1/dlq/{topic}/{msg_id}", topic -> Fields.NONE),
          Map.entry("POST /v1/dlq/{topic}/{msg_id}/resend", topic -> Fields.of("note", "a sample")),
          Map.entry("POST /v1/dlq/{topic}/jobs", topic -> job()),
          Map.entry("GET /v1/jobs/{job_id}", topic -> Fields.NONE),
          Map.entry("POST /v1/jobs/{job_id}/pause", topic -> Fields.NONE),
          Map.entry("POST /v1/jobs/{job_id}/resume", topic -> Fields.NONE),
          Map.entry("POST /v1/jobs/{job_id}/cancel", topic -> Fields.NONE),
          Map.entry("POST /v1/jobs/{job_id}/rate", topic -> Fields.of("rate_per_s", 5)),
          Map.entry("GET /v1/jobs", topic -> Fields.NONE),
          Map.entry("GET /v1/capabilities", topic -> Fields.NONE),
          Map.entry(
              "POST /v1/capabilities",
              topic -> Fields.of("caveats", List.of()).with("expires_in", "1m")),
          Map.entry("POST /v1/capabilities/revoke", topic -> Fields.of("nonce", "0".repeat(32))),
          Map.entry("POST /v1/capabilities/rotate", topic -> Fields.NONE),
          Map.entry("GET /v1/rendezvous/tokens", topic -> Fields.NONE),
          Map.entry("POST /v1/rendezvous/tokens", topic -> token()),
          Map.entry("DELETE /v1/rendezvous/tokens/{id}", topic -> Fields.NONE),
          Map.entry("POST /v1/rendezvous/tokens/{id}/rotate", topic -> Fields.of("overlap", "0s")),
          Map.entry("GET /v1/rendezvous/access", topic -> Fields.NONE),
          Map.entry("PUT /v1/rendezvous/access", topic -> rules()),
          Map.entry("GET /v1/events", topic -> Fields.NONE),
          Map.entry("GET /v1/audit", topic -> Fields.NONE));

  SampleCalls(MailboxClient operator) {
    this.operator = operator;
  }

  /**
   * Calls a route with a client's capability, on a topic that exists.
   *
   * @param route such as {@code POST /v1/send}
   */
  MailboxAnswer call(String route, MailboxClient client, String topic) throws IOException {
    operator.putTopic(topic, Fields.NONE);
    if (route.endsWith(OCTETS)) {
      return octets(route, new OctetClient(client), topic);
    }
    Body body = bodies.get(route);
    if (body == null) {
      throw new AssertionError("there is no sample of " + route + " yet");
    }
    Fields fields = body.of(topic);
    if (route.equals(STREAM)) {
      return stream(client, fields);
    }
    String[] parts = route.split(" ", 2);
    String path = parts[1].replace("{topic}", topic);
    if (path.contains("{msg_id}")) {
      path = path.replace("{msg_id}", path.contains("/dlq/") ? dead(topic) : delayed(topic));
    }
    if (path.contains("{job_id}")) {
      path = path.replace("{job_id}", ended(topic));
    }
    if (path.contains("{id}")) {
      path = path.replace("{id}", tokenId());
    }
    return client.call(parts[0], path + query(route, topic), fields);
  }

  private static MailboxAnswer stream(MailboxClient client, Fields fields) throws IOException {
    try (MessageStream stream = MessageStream.open(client.target(), fields)) {
      JsonNode json = stream.status() == 200 ? MissingNode.getInstance() : stream.problem();
      return new MailboxAnswer(
          stream.status(), stream.headers(), json, json.toString(), Payload.owning(new byte[0]));
    }
  }

  /** Of a mailbox of its own, because the tokens of all mailboxes are few. */
  private static Fields token() {
    return Fields.of("rights", List.of("post"))
        .with("mailbox", Recipients.fresh())
        .with("expires_in", "1m");
  }

  private String tokenId() throws IOException {
    return operator.post("/v1/rendezvous/tokens", token()).expect(201).json().path("id").asText();
  }

  private static Fields rules() {
    return Fields.of("allow", List.of())
        .with("block", List.of())
        .with("posts_per_minute", 60)
        .with("gets_per_minute", 120)
        .with("window_seconds", 60);
  }

  private static String query(String route, String topic) {
    if (route.endsWith("/jobs") && route.startsWith("GET")) {
      return "?topic=" + topic;
    }
    if (route.endsWith("/messages")) {
      return "?topic=" + topic + "&key=sample";
    }
    if (route.endsWith("/history")) {
      return "?topic=" + topic;
    }
    if (route.contains("/ledger")) {
      return "?shard=0";
    }
    // Else it would go on for minutes.
    return route.endsWith("/events") ? "?limit=1" : "";
  }

  private static Fields job() {
    return Fields.of("action", "discard").with("filter", Map.of()).with("note", "a sample");
  }

  /** A job that is over: one that is paused instead would never end. */
  private String ended(String topic) throws IOException {
    MailboxAnswer started = operator.post("/v1/dlq/" + topic + "/jobs", job()).expect(202);
    String id = started.json().path("job_id").asText();
    Deadline.in(PATIENCE)
        .await(
            () -> operator.get("/v1/jobs/" + id).expect(200).json().has("finished_at"),
            () -> "the end of " + id);
    return id;
  }

  private static MailboxAnswer octets(String route, OctetClient client, String topic)
      throws IOException {
    return switch (route) {
      case "POST /v1/send" + OCTETS ->
          client.send(
              Map.of("Mailbox-Topic", topic, "Idempotency-Key", TestTopics.fresh("key")),
              new byte[] {1, 2, 3});
      case "POST /v1/recv" + OCTETS -> client.recv(Map.of("Mailbox-Topic", topic));
      default -> throw new AssertionError("there is no sample of " + route + " yet");
    };
  }

  /** Whether a route is called on one topic, rather than on all or none. */
  static boolean isOfATopic(String route) {
    return !route.endsWith("/topics")
        && !route.endsWith("/audit")
        && !route.endsWith("/bounds")
        && !route.endsWith("/streams")
        && !route.endsWith("/v1/leases")
        && !route.endsWith("/state")
        && !route.endsWith("/cluster")
        && !route.endsWith("/events")
        && !route.contains("/capabilities")
        && !route.contains("/rendezvous");
  }

  private static Fields send(String topic) {
    return Fields.send(topic, TestTopics.fresh("key"), new byte[] {1, 2, 3});
  }

  private Fields leased(String topic) throws IOException {
    Message held = held(topic);
    return Fields.of("msg_id", held.msgId()).with("receipt", held.receipt());
  }

  private Fields extension(String topic) throws IOException {
    return leased(topic).with("visibility_ms", 5_000);
  }

  /** The id of a dead letter. */
  private String dead(String topic) throws IOException {
    Message held = held(topic);
    operator.nack(held, Fields.of("dead_letter", true).with("reason", "a sample")).expect(200);
    return held.msgId();
  }

  /** The id of a message whose time has not come. */
  private String delayed(String topic) throws IOException {
    return operator.send(send(topic).with("delay_ms", 3_600_000)).expect(200).msgId();
  }

  /** A message that the operator holds. */
  private Message held(String topic) throws IOException {
    operator.send(send(topic)).expect(200);
    Fields request = Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000);
    List<Message> held = operator.recvAll(request, 1);
    assertEquals(1, held.size());
    return held.get(0);
  }
}
