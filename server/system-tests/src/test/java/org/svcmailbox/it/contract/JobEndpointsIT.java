package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.Scrape;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.test.concurrent.Deadline;

/** Operators bring dead letters back, or discard them, as many as they choose. */
@ContractTest
class JobEndpointsIT {
  /** Where jobs were before; clients may still look there. */
  private static final String EARLIER = "/v1/dlq/jobs/";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Fields ALL = Fields.of("filter", Fields.NONE);
  private static final Fields REPROCESS = ALL.with("action", "reprocess");
  private static final Fields DISCARD = ALL.with("action", "discard");
  private static final String ELSEWHERE = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  private static final int MAX_JOBS = 4;

  private final MailboxClient client;
  private final String topic = TestTopics.fresh("jobs");
  private final JobLetters letters;

  JobEndpointsIT(MailboxClient client) throws IOException {
    this.client = client;
    letters = JobLetters.of(client, topic);
  }

  private static void assertEnd(JsonNode job, int total, int done, int failed) {
    assertEquals("done", job.path("state").asText(), job::toString);
    assertEquals(total, job.path("total").asInt(-1), job::toString);
    assertEquals(done, job.path("done").asInt(-1), job::toString);
    assertEquals(failed, job.path("failed").asInt(-1), job::toString);
    assertEquals(total - done - failed, job.path("gone").asInt(-1), job::toString);
  }

  @Test
  void aDryRunCountsByReasonAndChangesNothing() throws IOException {
    letters.keepReady("1s");
    client.send(letters.message("expires")).expect(200);
    Deadline.in(Duration.ofSeconds(30)).await(() -> letters.count() == 1, () -> "the expired one");
    letters.keepReady("7d");
    letters.dead(3);
    List<String> before = letters.ids();
    Fields asked = DISCARD.with("dry_run", true);
    JsonNode counted = letters.ask(asked).expect(200).json();
    assertEquals(
        "{\"dry_run\":true,\"total\":4,\"by_reason\":{\"expired\":1,\"max_attempts\":3}}",
        counted.toString());
    Fields expired = asked.with("filter", Fields.of("reason", "expired"));
    assertEquals(1, letters.ask(expired).expect(200).json().path("total").asInt());
    Fields named = asked.without("filter").with("msg_ids", List.of(before.get(0), ELSEWHERE));
    assertEquals(1, letters.ask(named).expect(200).json().path("total").asInt());
    assertEquals(before, letters.ids());
    String jobs = client.get("/v1/jobs?topic=" + topic).expect(200).text();
    assertEquals("{\"jobs\":[]}", jobs);
  }

  @Test
  void lettersThatAFilterMeansAreMessagesAgainForTheirFirstAttempt() throws IOException {
    String red = letters.dead(letters.message("r").with("attrs", Fields.of("colour", "red")));
    String blue = letters.dead(letters.message("b").with("attrs", Fields.of("colour", "blue")));
    Fields filter = Fields.of("attrs", Fields.of("colour", "red")).with("q", "no");
    JsonNode job = letters.start(REPROCESS.with("filter", filter));
    assertEquals("{\"max_attempts\":1}", job.path("by_reason").toString());
    assertEnd(letters.over(job), 1, 1, 0);
    assertEquals(List.of(blue), letters.ids());
    Message again = letters.recv();
    assertEquals(red, again.msgId());
    assertEquals("r", again.idemKey());
    assertEquals(1, again.attempt());
    assertTrue(again.isIntact());
    letters.refuse(again);

    JsonNode letter = letters.letter(red);
    assertEquals(1, letter.path("reprocessed").asInt());
    assertEquals(0, letters.letter(blue).path("reprocessed").asInt(-1));
    assertEquals(
        List.of("nacked", "reprocessed", "nacked"),
        letter.path("history").findValuesAsText("event"));
    assertEquals("intact", letter.path("ledger").path("status").asText());
  }

  @Test
  void lettersCanBeNamed() throws IOException {
    String first = letters.dead(letters.message("1"));
    String second = letters.dead(letters.message("2"));
    String third = letters.dead(letters.message("3"));
    Fields named =
        Fields.of("action", "discard").with("msg_ids", List.of(third, first, third, ELSEWHERE));
    JsonNode job = letters.over(letters.start(named));
    assertEnd(job, 2, 2, 0);
    assertEquals(2, job.path("msg_ids_count").asInt());
    assertFalse(job.has("filter"));
    assertEquals(List.of(second), letters.ids());
    assertEquals(1, letters.count());
    client.get("/v1/dlq/" + topic + "/" + first).expect(404);
  }

  @Test
  void whatDiesAfterTheStartIsNotTouched() throws IOException {
    letters.dead(6);
    JsonNode job = letters.start(DISCARD.with("rate_per_s", 1));
    letters.have(job, "pause");
    String later = letters.dead(letters.message("later"));
    assertFalse(letters.now(job).has("finished_at"), "it died after the end");
    letters.have(job, "resume");
    assertEnd(letters.over(job), 6, 6, 0);
    assertEquals(List.of(later), letters.ids());
  }

  @Test
  void aJobIsNoFasterThanItsRate() throws IOException {
    letters.dead(9);
    JsonNode job = letters.over(letters.start(DISCARD.with("rate_per_s", 4)));
    assertEnd(job, 9, 9, 0);
    Instant began = Instant.parse(job.path("started_at").asText());
    Duration took = Duration.between(began, Instant.parse(job.path("finished_at").asText()));
    assertTrue(took.toMillis() >= 1_900, () -> "in " + took);
  }

  @Test
  void aJobCanBePausedResumedAndCancelled() throws IOException {
    letters.dead(20);
    JsonNode job = letters.start(DISCARD.with("rate_per_s", 2));
    Deadline.in(Duration.ofSeconds(30))
        .await(() -> letters.now(job).path("done").asInt() > 0, () -> "the first letter");
    JsonNode paused = letters.have(job, "pause");
    assertEquals("paused", paused.path("state").asText());
    int done = paused.path("done").asInt();
    assertEquals(20 - done, letters.ids().size());
    // Another's whole life is long enough for a letter of this one.
    JobLetters others = JobLetters.of(client, TestTopics.fresh("jobs"));
    others.dead(3);
    assertEnd(others.over(others.start(DISCARD.with("rate_per_s", 2))), 3, 3, 0);
    assertEquals(paused, letters.now(job));
    assertEquals(paused, letters.have(job, "pause"));

    assertEquals("running", letters.have(job, "resume").path("state").asText());
    Deadline.in(Duration.ofSeconds(30))
        .await(() -> letters.now(job).path("done").asInt() > done, () -> "another letter");
    JsonNode cancelled = letters.have(job, "cancel");
    assertEquals("cancelled", cancelled.path("state").asText());
    assertTrue(cancelled.has("finished_at"));
    assertEquals(20 - cancelled.path("done").asInt(), letters.ids().size());
    for (String verb : List.of("resume", "pause", "cancel")) {
      assertEquals("cancelled", letters.have(job, verb).path("state").asText(), verb);
    }
    assertEquals(cancelled, letters.now(job));
    assertNotEquals(List.of(), letters.ids());
  }

  @Test
  @ResourceLock(SampleCalls.JOBS)
  void tooManyJobsAreRefusedForNow() throws IOException {
    letters.dead(30);
    List<JsonNode> jobs = new ArrayList<>();
    Fields none = DISCARD.with("filter", Fields.of("idem_key", "nobody"));
    try {
      // The topic's share of them.
      for (int i = 0; i < MAX_JOBS * 3 / 4; i++) {
        jobs.add(letters.start(REPROCESS.with("rate_per_s", 1)));
      }
      MailboxAnswer refused = letters.ask(none.with("note", "one too many")).expect(429);
      assertEquals("E_SATURATED", refused.code());
      assertEquals("dlq_jobs", refused.reason());
      assertTrue(Integer.parseInt(refused.header("Retry-After").orElse("0")) > 0);
      assertEquals(200, letters.ask(none.with("dry_run", true)).status(), "a look is no job");
      letters.have(jobs.get(0), "pause");
      letters.ask(none.with("note", "again")).expect(202);
    } finally {
      for (JsonNode job : jobs) {
        letters.have(job, "cancel");
      }
    }
  }

  @Test
  void lettersCanGoToAnotherTopicAsNewMessages() throws IOException {
    String target = TestTopics.fresh("jobs");
    JobLetters there = JobLetters.of(client, target);
    Fields attrs = Fields.of("colour", "red");
    String id = letters.dead(letters.message("free").with("attrs", attrs).with("corr_id", "c"));
    String stays = letters.dead(letters.message("taken"));
    client.send(Fields.send(target, "taken", new byte[] {7})).expect(200);
    assertEquals("taken", there.recv().idemKey());

    JsonNode job = letters.over(letters.start(REPROCESS.with("to_topic", target)));
    assertEnd(job, 2, 1, 1);
    assertEquals(target, job.path("to_topic").asText());
    assertEquals(List.of(stays), job.path("errors").findValuesAsText("msg_id"));
    assertFalse(job.path("errors").get(0).path("detail").asText().isEmpty());
    assertEquals(0, job.path("errors_dropped").asInt(-1));
    assertEquals(List.of(stays), letters.ids());
    Message moved = there.recv();
    assertNotEquals(id, moved.msgId());
    assertEquals("free", moved.idemKey());
    assertEquals("c", moved.text("corr_id"));
    assertEquals("red", moved.json().path("attrs").path("colour").asText());
    assertEquals(1, moved.attempt());
    assertTrue(moved.isIntact());
  }

  @Test
  void whatIsBadIsNamed() throws IOException {
    letters.dead(1);
    Fields good = DISCARD.with("note", "n");
    Map<String, Fields> bad = new TreeMap<>();
    bad.put("action", good.with("action", "retry"));
    bad.put("action ", good.without("action"));
    bad.put("filter", good.without("filter"));
    bad.put("filter ", good.with("msg_ids", List.of(ELSEWHERE)));
    bad.put("filter.colour", good.with("filter", Fields.of("colour", "red")));
    bad.put("filter.reason", good.with("filter", Fields.of("reason", "poison")));
    bad.put("msg_ids", good.without("filter").with("msg_ids", List.of()));
    bad.put("msg_ids ", good.without("filter").with("msg_ids", List.of("x")));
    bad.put("rate_per_s", good.with("rate_per_s", 0));
    bad.put("rate_per_s ", good.with("rate_per_s", 10_001));
    bad.put("to_topic", good.with("to_topic", topic));
    bad.put("to_topic ", good.with("action", "reprocess").with("to_topic", "a b"));
    bad.put("ttl_ms", good.with("ttl_ms", 1_000));
    Fields reprocess = good.with("action", "reprocess");
    bad.put("ttl_ms ", reprocess.with("ttl_ms", 0));
    bad.put("ttl_ms  ", reprocess.with("ttl_ms", 31_536_000_001L));
    bad.put("ttl_ms   ", reprocess.with("ttl_ms", "1h"));
    bad.put("note", good.without("note"));
    bad.put("note ", good.with("note", " "));
    bad.put("note  ", good.with("note", "a\u0007b"));
    bad.put("note   ", good.with("note", "n".repeat(1_025)));
    bad.put("surprise", good.with("surprise", 1));
    Map<String, String> named = new TreeMap<>();
    for (Map.Entry<String, Fields> each : bad.entrySet()) {
      MailboxAnswer refused = letters.ask(each.getValue());
      String spaces = each.getKey().replaceAll("\\S", "");
      named.put(each.getKey(), refused.status() + String.join(",", refused.fields()) + spaces);
    }
    Map<String, String> expected = new TreeMap<>();
    bad.keySet().forEach(key -> expected.put(key, "400" + key));
    assertEquals(expected, named);
    assertEquals(1, letters.count());
  }

  @Test
  void aJobHasAnAddressAndIsListedNewestFirst() throws IOException {
    MailboxAnswer started =
        letters.ask(DISCARD.with("note", " why\n").with("rate_per_s", 7)).expect(202);
    JsonNode first = started.json();
    assertEquals(JobLetters.path(first), started.header("Location").orElse(""));
    assertTrue(first.path("job_id").asText().matches("j[0-9a-f]{16}"), first::toString);
    assertEquals(topic, first.path("topic").asText());
    assertEquals("discard", first.path("action").asText());
    assertEquals("why", first.path("note").asText());
    assertEquals(7, first.path("rate_per_s").asInt());
    assertEquals("{}", first.path("filter").toString());
    letters.over(first);
    JsonNode second = letters.start(REPROCESS);
    assertEquals(500, second.path("rate_per_s").asInt());
    letters.over(second);
    assertEquals(List.of(letters.now(second), letters.now(first)), listed("topic=" + topic));
    assertEquals(List.of(letters.now(second)), listed("limit=1&topic=" + topic));
    assertTrue(listed("limit=100").contains(letters.now(first)));
    assertEquals(List.of(), listed("topic=" + TestTopics.fresh("none")));
    for (String bad : List.of("limit=0", "limit=101", "topic=a%20b", "state=done")) {
      MailboxAnswer refused = client.get("/v1/jobs?" + bad).expect(400);
      assertEquals(List.of(bad.substring(0, bad.indexOf('='))), refused.fields());
    }
    for (String jobs : List.of("/v1/jobs/", EARLIER)) {
      String unknown = jobs + "j0123456789abcdef";
      client.with(null).get(unknown).expect(401);
      assertEquals("E_NOT_FOUND", client.get(unknown).expect(404).code());
      for (String verb : List.of("pause", "resume", "cancel")) {
        assertEquals("E_NOT_FOUND", client.post(unknown + "/" + verb, Fields.NONE).code(), verb);
      }
    }
    String id = second.path("job_id").asText();
    assertEquals(letters.now(second), client.get(EARLIER + id).expect(200).json());
    client
        .post("/v1/dlq/" + TestTopics.fresh("none") + "/jobs", DISCARD.with("note", "n"))
        .expect(404);
  }

  private List<JsonNode> listed(String query) throws IOException {
    List<JsonNode> jobs = new ArrayList<>();
    client.get("/v1/jobs?" + query).expect(200).json().path("jobs").forEach(jobs::add);
    return jobs;
  }

  @Test
  void onlyWhoMayTouchTheLettersOfATopicTouchesItsJobs() throws IOException {
    JsonNode job = letters.over(letters.start(DISCARD));
    String path = JobLetters.path(job);
    Fields order = DISCARD.with("note", "n");
    String start = "/v1/dlq/" + topic + "/jobs";
    MailboxClient viewer = client.with(client.mint("ops = dlq.view"));
    assertEquals(job, viewer.get(path).expect(200).json());
    viewer.get("/v1/jobs").expect(200);
    assertEquals("operation", viewer.post(start, order).expect(403).reason());
    assertEquals("operation", viewer.post(start, order.with("dry_run", true)).reason());
    MailboxClient other = client.with(client.mint("ops = dlq", "topic = " + topic + ".other"));
    assertEquals("topic", other.get(path).expect(403).reason());
    assertEquals("topic", other.get("/v1/jobs").expect(403).reason());
    assertEquals("topic", other.get("/v1/jobs?topic=" + topic).expect(403).reason());
    assertEquals("topic", other.post(start, order).expect(403).reason());
    MailboxClient own = client.with(client.mint("ops = dlq", "topic = " + topic));
    assertEquals("topic", own.get("/v1/jobs").expect(403).reason());
    own.get("/v1/jobs?topic=" + topic).expect(200);
    Fields away = REPROCESS.with("note", "n").with("to_topic", topic + ".other");
    assertEquals("topic", own.post(start, away).expect(403).reason());
    for (String verb : List.of("pause", "resume", "cancel")) {
      assertEquals("operation", viewer.post(path + "/" + verb, Fields.NONE).reason(), verb);
      assertEquals("topic", other.post(path + "/" + verb, Fields.NONE).reason(), verb);
      assertEquals(200, own.post(path + "/" + verb, Fields.NONE).status(), verb);
    }
  }

  @Test
  void jobsAreInTheAuditWithWhoWhyAndHowTheyEnded() throws IOException {
    letters.dead(2);
    MailboxAnswer minted =
        client
            .post(
                "/v1/capabilities",
                Fields.of("caveats", List.of("ops = dlq")).with("expires_in", "1h"))
            .expect(201);
    String actor =
        minted.json().path("key_id").asText() + ":" + minted.json().path("nonce").asText();
    MailboxClient holder = client.with(minted.json().path("capability").asText());
    Fields order = DISCARD.with("note", "fixed in 1.2").with("filter", Fields.of("q", "no"));
    JsonNode job = holder.post("/v1/dlq/" + topic + "/jobs", order).expect(202).json();
    assertEquals(actor, job.path("started_by").asText());
    letters.over(job);
    String text = client.get("/v1/audit?subject=" + job.path("job_id").asText()).text();
    List<JsonNode> rows = new ArrayList<>();
    for (String line : text.lines().toList()) {
      rows.add(MAPPER.readTree(line));
    }
    assertEquals(2, rows.size(), text);
    assertEquals("dlq.job.start", rows.get(0).path("action").asText());
    assertEquals(actor, rows.get(0).path("actor").asText());
    String note = rows.get(0).path("note").asText();
    assertEquals(
        "discard topic=" + topic + " filter=q=no letters=2 max_attempts=2 rate=500; fixed in 1.2",
        note);
    assertEquals("dlq.job.end", rows.get(1).path("action").asText());
    assertEquals("service", rows.get(1).path("actor").asText());
    assertEquals("done: 2 of 2 done, 0 failed, 0 gone", rows.get(1).path("note").asText());
  }

  @Test
  @ResourceLock(SampleCalls.JOBS)
  void metricsCountWhatBecameOfLetters() throws IOException {
    String target = TestTopics.fresh("jobs");
    JobLetters there = JobLetters.of(client, target);
    letters.dead(letters.message("taken"));
    client.send(Fields.send(target, "taken", new byte[] {7})).expect(200);
    there.recv();
    Map<String, Integer> before = counts();
    letters.over(letters.start(REPROCESS.with("to_topic", target)));
    letters.over(letters.start(DISCARD));
    letters.dead(2);
    letters.over(letters.start(REPROCESS));
    Map<String, Integer> after = counts();
    Map<String, Integer> more = new TreeMap<>();
    after.forEach((result, count) -> more.put(result, count - before.getOrDefault(result, 0)));
    assertEquals(Map.of("discarded", 1, "failed", 1, "reprocessed", 2), more);
  }

  private Map<String, Integer> counts() throws IOException {
    Scrape scrape = Scrape.of(client.get("/metrics").expect(200).text());
    Map<String, Integer> counts = new TreeMap<>();
    for (String result : List.of("discarded", "failed", "reprocessed")) {
      counts.put(result, (int) scrape.value("dlq_job_letters_total{result=\"" + result + "\"}"));
    }
    return counts;
  }
}
