package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.redrive.Job;
import org.svcmailbox.core.redrive.JobAction;
import org.svcmailbox.core.redrive.JobError;
import org.svcmailbox.core.redrive.JobProgress;
import org.svcmailbox.core.redrive.JobSpec;
import org.svcmailbox.core.redrive.JobState;
import org.svcmailbox.core.redrive.PendingAction;
import org.svcmailbox.core.redrive.RedriveService.JobRequest;
import org.svcmailbox.core.redrive.RedriveService.Resend;
import org.svcmailbox.core.redrive.RedriveService.Status;
import org.svcmailbox.core.redrive.Selection;
import org.svcmailbox.web.HttpCalls.Answer;

/** Redrive jobs and resends over HTTP. */
class JobEndpointTest {
  private static final Actor STARTER = new Actor("k1:n", "console:ann");

  private static final TopicName ORDERS = new TopicName("orders");
  private static final TopicName ELSEWHERE = new TopicName("elsewhere");
  private static final String ID = "j00ff00ff00ff00ff";
  private static final String LETTER = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  private static final MsgId MSG_ID = MsgId.parse(LETTER);
  private static final Instant BEGUN = Instant.parse("2026-11-22T03:00:00.120Z");
  private static final LetterFilter EVERYTHING =
      new LetterFilter(
          DeadLetterReason.EXPIRED,
          List.of(new Fingerprint(0x20ff00ff00ff00ffL), new Fingerprint(0x20ff00ff00ff00feL)),
          Instant.parse("2026-11-22T03:00:00Z"),
          Instant.parse("2026-11-22T04:00:00.123Z"),
          3,
          "k 1",
          "c",
          Map.of("a", "b=c", "ä", ""),
          List.of("timed", "out*"),
          new JobId("j0123456789abcdef"));
  private static final String EVERYTHING_JSON =
      "{\"reason\":\"expired\",\"fingerprints\":[\"20ff00ff00ff00fe\",\"20ff00ff00ff00ff\"],"
          + "\"since\":\"2026-11-22T03:00:00.000Z\",\"until\":\"2026-11-22T04:00:00.123Z\","
          + "\"attempt\":3,\"idem_key\":\"k 1\",\"corr_id\":\"c\","
          + "\"attrs\":{\"a\":\"b=c\",\"ä\":\"\"},\"q\":\"timed out*\",\"job\":\"j0123456789abcdef\"}";

  private static final String ADVICE =
      "5 expired: without ttl_ms, each has its old time to live again, and expires again if nobody"
          + " receives it by then";

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  JobEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  private Answer start(String body) throws Exception {
    return calls.post("/v1/dlq/orders/jobs", body);
  }

  private Answer resend(String body) throws Exception {
    return calls.post("/v1/dlq/orders/" + LETTER + "/resend", body);
  }

  private static Status status(Selection selection, JobState state) {
    JobProgress progress =
        new JobProgress(
            state, LetterPosition.FIRST, PendingAction.NONE, 0, 0, List.of(), BEGUN, null, null);
    return status(selection, null, progress, null);
  }

  private static Status status(
      Selection selection,
      @Nullable TopicName to,
      JobProgress progress,
      @Nullable String waitingFor) {
    Duration ttl = to == null ? null : Duration.ofHours(1);
    JobSpec spec =
        new JobSpec(ORDERS, JobAction.REDRIVE, selection, 7, to == null ? null : 3, to, ttl, "why");
    Map<DeadLetterReason, Long> counts =
        Map.of(DeadLetterReason.MAX_ATTEMPTS, 200L, DeadLetterReason.EXPIRED, 5L);
    Job job =
        new Job(
            new JobId(ID),
            spec,
            LetterPosition.LAST,
            counts,
            List.of("HTTP 503", "timed out after # ms"),
            STARTER,
            BEGUN,
            progress);
    return new Status(job, waitingFor);
  }

  @Test
  void theJobRequestIsPassedOn() throws Exception {
    server.redrive.job = status(new Selection.Matching(LetterFilter.ALL), JobState.RUNNING);
    Answer answer =
        start(
            "{\"action\":\"reprocess\",\"filter\":"
                + EVERYTHING_JSON
                + ",\"rate_per_s\":10000,\"first\":100,\"to_topic\":\"elsewhere\",\"ttl_ms\":31536000000,"
                + "\"note\":\" a\\nb \"}");
    assertEquals(202, answer.status(), answer.response()::body);
    assertEquals("/v1/jobs/" + ID, answer.header("Location"));
    assertEquals("start", server.redrive.asked);
    assertEquals(
        new JobRequest(
            ORDERS,
            JobAction.REDRIVE,
            EVERYTHING,
            null,
            10_000,
            100,
            ELSEWHERE,
            Duration.ofDays(365),
            "a\nb"),
        server.redrive.request);

    String other = "01ARZ3NDEKTSV4RRFFQ69G5FAW";
    String ids = "[\"" + LETTER + "\",\"" + other + "\"]";
    start("{\"action\":\"discard\",\"msg_ids\":" + ids + ",\"note\":\"n\",\"dry_run\":false}");
    assertEquals(
        new JobRequest(
            ORDERS,
            JobAction.DISCARD,
            null,
            List.of(MSG_ID, MsgId.parse(other)),
            null,
            null,
            null,
            null,
            "n"),
        server.redrive.request);
  }

  @Test
  void aDryRunNeedsNoNoteAndAnswersWithCounts() throws Exception {
    server.redrive.counts =
        Map.of(DeadLetterReason.MAX_ATTEMPTS, 12L, DeadLetterReason.EXPIRED, 3L);
    Answer answer = start("{\"action\":\"discard\",\"filter\":{},\"dry_run\":true}");
    assertEquals(200, answer.status());
    assertEquals(
        "{\"dry_run\":true,\"total\":15,\"by_reason\":{\"expired\":3,\"max_attempts\":12}}",
        answer.response().body());
    assertEquals("", answer.header("Location"));
    assertEquals("dry run", server.redrive.asked);
    assertEquals(
        new JobRequest(
            ORDERS, JobAction.DISCARD, LetterFilter.ALL, null, null, null, null, null, ""),
        server.redrive.request);
  }

  @ParameterizedTest
  @CsvSource({
    "reprocess, 5, , true",
    "reprocess, 5, 1000, false",
    "reprocess, 0, , false",
    "discard, 5, , false"
  })
  void adviceIsForLettersThatWouldExpireAgain(
      String action, long expired, @Nullable Long ttlMs, boolean isAdvised) throws Exception {
    server.redrive.counts = Map.of(DeadLetterReason.EXPIRED, expired);
    String ttl = ttlMs == null ? "" : ",\"ttl_ms\":" + ttlMs;
    JsonNode counted =
        start("{\"action\":\"" + action + "\",\"filter\":{},\"dry_run\":true" + ttl + "}").json();
    assertEquals(isAdvised ? ADVICE : "", counted.path("advice").asText());
    assertEquals(ttlMs == null ? 0 : ttlMs, counted.path("ttl_ms").asLong());
    assertEquals(ttlMs != null, counted.has("ttl_ms"));
  }

  @Test
  void adviceNamesLettersThatCannotOrShouldNotReturn() throws Exception {
    server.redrive.counts =
        Map.of(
            DeadLetterReason.UNREADABLE,
            2L,
            DeadLetterReason.INTEGRITY,
            3L,
            DeadLetterReason.EXPIRED,
            5L,
            DeadLetterReason.REJECTED,
            7L);
    String order = "{\"action\":\"%s\",\"filter\":{},\"dry_run\":true}";
    assertEquals(
        ADVICE
            + "; 2 unreadable: what cannot be read fails and can only be discarded"
            + "; 3 integrity: they differ from what was sent; look before they return",
        start(order.formatted("reprocess")).json().path("advice").asText());
    assertFalse(start(order.formatted("discard")).json().has("advice"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | action,filter,note",
        "{'action':'retry','filter':{},'note':'n'} | action",
        "{'action':'REPROCESS','filter':{},'note':'n'} | action",
        "{'action':'discard','note':'n'} | filter",
        "{'action':'discard','filter':{},'msg_ids':['01ARZ3NDEKTSV4RRFFQ69G5FAV'],'note':'n'} | filter",
        "{'action':'discard','filter':{'colour':'red'},'note':'n'} | filter.colour",
        "{'action':'discard','filter':{'reason':'x','attempt':-1,'q':'-','since':'x'},'note':'n'} |"
            + " filter.attempt,filter.q,filter.reason,filter.since",
        "{'action':'discard','filter':{'attrs':{'a':null}},'note':'n'} | filter.attrs.a",
        "{'action':'discard','msg_ids':[],'note':'n'} | msg_ids",
        "{'action':'discard','msg_ids':['x'],'note':'n'} | msg_ids",
        "{'action':'discard','msg_ids':[null],'note':'n'} | msg_ids",
        "{'action':'discard','filter':{},'rate_per_s':0,'note':'n'} | rate_per_s",
        "{'action':'discard','filter':{},'rate_per_s':10001,'note':'n'} | rate_per_s",
        "{'action':'discard','filter':{},'first':3,'note':'n'} | first",
        "{'action':'reprocess','filter':{},'first':0,'note':'n'} | first",
        "{'action':'reprocess','filter':{},'first':101,'note':'n'} | first",
        "{'action':'discard','filter':{},'to_topic':'a','note':'n'} | to_topic",
        "{'action':'reprocess','filter':{},'to_topic':'a b','note':'n'} | to_topic",
        "{'action':'reprocess','filter':{},'ttl_ms':0,'note':'n'} | ttl_ms",
        "{'action':'reprocess','filter':{},'ttl_ms':31536000001,'note':'n'} | ttl_ms",
        "{'action':'reprocess','filter':{},'ttl_ms':'1h','note':'n'} | ttl_ms",
        "{'action':'reprocess','filter':{},'ttl_ms':1.5,'note':'n'} | ttl_ms",
        "{'action':'discard','filter':{},'ttl_ms':1000,'note':'n'} | ttl_ms",
        "{'action':'discard','filter':{},'ttl_ms':1000,'dry_run':true} | ttl_ms",
        "{'action':'discard','filter':{}} | note",
        "{'action':'discard','filter':{},'dry_run':false} | note",
        "{'action':'discard','filter':{},'dry_run':true,'note':''} | note",
        "{'action':'discard','filter':{},'note':' '} | note",
        "{'action':'discard','filter':{},'note':'a\\u0000'} | note",
        "{'action':'discard','filter':{},'note':'a\\u001b[1m'} | note",
        "{'action':'x','rate_per_s':0,'to_topic':'a b','msg_ids':['x'],'filter':{'q':''}} |"
            + " action,filter,filter.q,msg_ids,note,rate_per_s,to_topic",
      })
  void everythingThatIsBadIsNamedAtOnce(String body, String fields) throws Exception {
    Answer refused = start(body.replace('\'', '"'));
    assertEquals(400, refused.status(), refused.response()::body);
    assertEquals(fields, String.join(",", new TreeSet<>(refused.fields())));
    assertEquals("", server.redrive.asked);
  }

  @Test
  void notesAndListsAreBounded() throws Exception {
    server.redrive.job = status(new Selection.Chosen(List.of()), JobState.RUNNING);
    String body = "{\"action\":\"discard\",\"filter\":{},\"note\":\"%s\"}";
    assertEquals(202, start(body.formatted("n".repeat(1_024))).status());
    assertEquals(List.of("note"), start(body.formatted("n".repeat(1_025))).fields());
    String named = "{\"action\":\"discard\",\"note\":\"n\",\"msg_ids\":[%s]}";
    List<String> ids = IntStream.range(0, 1_001).mapToObj(i -> '"' + LETTER + '"').toList();
    assertEquals(202, start(named.formatted(String.join(",", ids.subList(0, 1_000)))).status());
    assertEquals(List.of("msg_ids"), start(named.formatted(String.join(",", ids))).fields());
  }

  @Test
  void aJobIsShownInFull() throws Exception {
    List<JobError> errors =
        Stream.generate(() -> new JobError(MSG_ID, "its key is taken")).limit(100).toList();
    JobProgress progress =
        new JobProgress(
            JobState.DONE,
            LetterPosition.FIRST,
            PendingAction.NONE,
            90,
            110,
            errors,
            BEGUN.plusSeconds(2),
            BEGUN.plusSeconds(3),
            "so it is");
    server.redrive.job =
        status(new Selection.Matching(EVERYTHING), ELSEWHERE, progress, "the broker is away")
            .withDeadAgain(4L);
    JsonNode job = calls.call("GET", "/v1/jobs/" + ID).json();
    assertEquals("job " + ID, server.redrive.asked);
    assertEquals(110 - 100, job.path("errors_dropped").asInt());
    assertEquals(100, job.path("errors").size());
    assertEquals(
        "{\"msg_id\":\"" + LETTER + "\",\"detail\":\"its key is taken\"}",
        job.path("errors").get(0).toString());
    Map<String, String> expected = new TreeMap<>();
    expected.put("job_id", ID);
    expected.put("topic", "orders");
    expected.put("action", "reprocess");
    expected.put("state", "done");
    expected.put("total", "205");
    expected.put("done", "90");
    expected.put("failed", "110");
    expected.put("gone", "5");
    expected.put("left", "0");
    expected.put("dead_again", "4");
    expected.put("rate_per_s", "7");
    expected.put("first", "3");
    expected.put("to_topic", "elsewhere");
    expected.put("ttl_ms", "3600000");
    expected.put("note", "why");
    expected.put("started_by", "k1:n");
    expected.put("started_by_name", "console:ann");
    expected.put("started_at", "2026-11-22T03:00:00.120Z");
    expected.put("updated_at", "2026-11-22T03:00:02.120Z");
    expected.put("finished_at", "2026-11-22T03:00:03.120Z");
    expected.put("waiting_for", "the broker is away");
    expected.put("ended_because", "so it is");
    Map<String, String> shown = new TreeMap<>();
    expected.keySet().forEach(field -> shown.put(field, job.path(field).asText()));
    assertEquals(expected, shown);
    assertEquals("{\"expired\":5,\"max_attempts\":200}", job.path("by_reason").toString());
    assertEquals("[\"HTTP 503\",\"timed out after # ms\"]", job.path("patterns").toString());
    assertEquals(EVERYTHING_JSON, job.path("filter").toString());
    Set<String> documented = names(schema().path("properties"));
    documented.removeAll(
        Set.of("msg_ids_count", "reprocessed_below", "advice", "seconds_left", "paused_because"));
    assertEquals(documented, names(job));
  }

  @Test
  void aPauseAndTheTimeLeftAreExplained() throws Exception {
    JobProgress running = JobProgress.initial(BEGUN);
    JobProgress held = running.withMoved(3, BEGUN).withState(JobState.PAUSED, BEGUN);
    Selection all = new Selection.Matching(LetterFilter.ALL);
    Map<String, JobProgress> pauses =
        Map.of(
            "",
            running,
            "operator",
            running.withState(JobState.PAUSED, BEGUN),
            "database",
            running.withPause("it fell back", BEGUN),
            "first",
            held);
    for (Map.Entry<String, JobProgress> pause : pauses.entrySet()) {
      server.redrive.job = status(all, ELSEWHERE, pause.getValue(), null);
      JsonNode job = calls.call("GET", "/v1/jobs/" + ID).json();
      assertEquals(pause.getKey(), job.path("paused_because").asText());
      assertEquals(205 - job.path("done").asInt(), job.path("left").asInt());
      // 205 letters, 7 a second
      assertEquals(pause.getKey().isEmpty() ? 30 : -1, job.path("seconds_left").asInt(-1));
    }
  }

  @Test
  void absentFieldsOfAJobAreNotShown() throws Exception {
    Selection some = new Selection.Chosen(List.of(new LetterPosition(5), new LetterPosition(6)));
    server.redrive.job = status(some, JobState.RUNNING);
    JsonNode job = calls.call("GET", "/v1/jobs/" + ID).json();
    assertEquals(2, job.path("msg_ids_count").asInt());
    assertEquals(0, job.path("gone").asInt(-1));
    Set<String> required = new TreeSet<>();
    schema().path("required").forEach(name -> required.add(name.asText()));
    required.add("msg_ids_count");
    required.add("advice");
    required.add("seconds_left");
    required.add("started_by_name");
    assertEquals(required, names(job));
    assertEquals(ADVICE, job.path("advice").asText());
    server.redrive.job = status(new Selection.Matching(LetterFilter.ALL), JobState.RUNNING);
    JsonNode all = calls.call("GET", "/v1/jobs/" + ID).json();
    assertEquals("{}", all.path("filter").toString());
    assertFalse(all.has("msg_ids_count"));
    server.redrive.job = status(new Selection.Due(3), JobState.RUNNING);
    JsonNode due = calls.call("GET", "/v1/jobs/" + ID).json();
    assertEquals(3, due.path("reprocessed_below").asInt());
    assertFalse(due.has("filter"));
  }

  @ParameterizedTest
  @EnumSource(JobState.class)
  void everyStateIsDocumented(JobState state) throws Exception {
    server.redrive.job = status(new Selection.Chosen(List.of()), state);
    String text = calls.call("GET", "/v1/jobs/" + ID).json().path("state").asText();
    assertEquals(state.text(), text);
    Set<String> documented = new TreeSet<>();
    schema().at("/properties/state/enum").forEach(one -> documented.add(one.asText()));
    assertTrue(documented.contains(text), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "cancel"})
  void aJobCanBeControlled(String verb) throws Exception {
    assertEquals(404, calls.call("POST", "/v1/jobs/" + ID + "/" + verb).status());
    server.redrive.job = status(new Selection.Chosen(List.of()), JobState.PAUSED);
    Answer answer = calls.call("POST", "/v1/jobs/" + ID + "/" + verb);
    assertEquals(200, answer.status());
    assertEquals("paused", answer.json().path("state").asText());
    assertEquals(verb + " " + ID, server.redrive.asked);
    assertEquals(405, calls.call("GET", "/v1/jobs/" + ID + "/" + verb).status());
  }

  @Test
  void theRateOfAJobIsChanged() throws Exception {
    String path = "/v1/jobs/" + ID + "/rate";
    assertEquals(404, calls.post(path, "{\"rate_per_s\":20}").status());
    server.redrive.job = status(new Selection.Chosen(List.of()), JobState.RUNNING);
    assertEquals(200, calls.post(path, "{\"rate_per_s\":20}").status());
    assertEquals("rate 20 " + ID, server.redrive.asked);
    for (String bad : List.of("{}", "{\"rate_per_s\":0}", "{\"rate_per_s\":10001}")) {
      assertEquals(List.of("rate_per_s"), calls.post(path, bad).fields(), bad);
    }
    assertEquals(400, calls.post(path, "{\"rate_per_s\":1,\"first\":1}").status());
  }

  @Test
  void jobsAreListed() throws Exception {
    assertEquals("{\"jobs\":[]}", calls.call("GET", "/v1/jobs").response().body());
    assertEquals("jobs null 50", server.redrive.asked);
    server.redrive.job = status(new Selection.Chosen(List.of()), JobState.RUNNING);
    JsonNode jobs = calls.call("GET", "/v1/jobs?topic=orders&limit=100").json().path("jobs");
    assertEquals("jobs orders 100", server.redrive.asked);
    assertEquals(1, jobs.size());
    assertEquals(calls.call("GET", "/v1/jobs/" + ID).json(), jobs.get(0));
    for (String bad : List.of("limit=0", "limit=101", "limit=x", "topic=", "state=done")) {
      Answer refused = calls.call("GET", "/v1/jobs?" + bad);
      assertEquals(List.of(bad.substring(0, bad.indexOf('='))), refused.fields(), bad);
    }
    assertEquals(
        Set.of("limit", "topic"),
        Set.copyOf(calls.call("GET", "/v1/jobs?limit=0&topic=a%20b").fields()));
  }

  @Test
  void tooManyJobsAreTriedAgainLater() throws Exception {
    server.redrive.full = new SaturatedException("dlq_jobs", "there are 4", Duration.ofSeconds(5));
    Answer refused = start("{\"action\":\"discard\",\"filter\":{},\"note\":\"n\"}");
    assertEquals(429, refused.status());
    assertEquals("E_SATURATED", refused.json().path("code").asText());
    assertEquals("5", refused.header("Retry-After"));
  }

  @Test
  void aJobIsAtItsEarlierPathToo() throws Exception {
    server.redrive.job = status(new Selection.Chosen(List.of()), JobState.PAUSED);
    assertEquals(
        calls.call("GET", "/v1/jobs/" + ID).json(), calls.call("GET", "/v1/dlq/jobs/" + ID).json());
    assertEquals("job " + ID, server.redrive.asked);
    for (String verb : List.of("pause", "resume", "cancel")) {
      assertEquals(200, calls.call("POST", "/v1/dlq/jobs/" + ID + "/" + verb).status());
      assertEquals(verb + " " + ID, server.redrive.asked);
    }
  }

  @Test
  void aTopicCalledJobsHasItsLettersAndItsJobsToo() throws Exception {
    assertEquals(200, calls.call("GET", "/v1/dlq/jobs").status());
    assertEquals("list jobs 7fffffffffffffff 50", server.letters.asked);
    assertEquals(200, calls.call("GET", "/v1/dlq/jobs/groups").status());
    assertEquals("groups jobs", server.letters.asked);
    assertEquals(404, calls.call("GET", "/v1/dlq/jobs/" + LETTER).status());
    assertEquals("read jobs " + LETTER, server.letters.asked);
    assertEquals("", server.redrive.asked);
    assertEquals(
        200, calls.post("/v1/dlq/jobs/" + LETTER + "/resend", "{\"note\":\"n\"}").status());
    Resend again = server.redrive.resend;
    assertEquals("jobs", again == null ? "" : again.topic().value());
    String order = "{\"action\":\"discard\",\"filter\":{},\"dry_run\":true}";
    assertEquals(200, calls.post("/v1/dlq/jobs/jobs", order).status());
    JobRequest wanted = server.redrive.request;
    assertEquals("jobs", wanted == null ? "" : wanted.topic().value());
  }

  @Test
  void anIdThatIsNoneIsNotFoundOrNamed() throws Exception {
    for (String id : List.of("j00FF00ff00ff00ff", "j0", "x")) {
      Answer refused = calls.call("GET", "/v1/dlq/jobs/" + id);
      assertEquals(List.of("msg_id"), refused.fields(), id);
    }
    assertEquals(404, calls.call("POST", "/v1/jobs/j0/pause").status());
    assertEquals("", server.redrive.asked);
  }

  @Test
  void aLetterIsResentWithTheGivenChanges() throws Exception {
    Answer answer = resend("{\"note\":\"n\"}");
    assertEquals(200, answer.status());
    assertEquals(
        "{\"msg_id\":\"01ARZ3NDEKTSV4RRFFQ69G5FAW\",\"duplicate\":false}",
        answer.response().body());
    assertEquals(
        new Resend(ORDERS, MSG_ID, null, null, null, null, null, "n"), server.redrive.resend);
    resend(
        "{\"payload\":\"AQL/\",\"attrs\":{\"a\":\"b\"},\"to_topic\":\"elsewhere\","
            + "\"idem_key\":\"k\",\"ttl_ms\":1,\"note\":\" n \"}");
    assertEquals(
        new Resend(
            ORDERS,
            MSG_ID,
            Payload.owning(new byte[] {1, 2, -1}),
            new Attributes(Map.of("a", "b")),
            ELSEWHERE,
            new IdemKey("k"),
            Duration.ofMillis(1),
            "n"),
        server.redrive.resend);
    resend("{\"payload\":\"\",\"attrs\":{},\"note\":\"n\"}");
    Resend empty = server.redrive.resend;
    assertEquals(
        new Resend(
            ORDERS, MSG_ID, Payload.owning(new byte[0]), Attributes.NONE, null, null, null, "n"),
        empty);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | note",
        "{'note':'a\\u0007'} | note",
        "{'note':'n','colour':'red'} | colour",
        "{'note':'n','payload':'?'} | payload",
        "{'note':'n','ttl_ms':0} | ttl_ms",
        "{'note':'n','ttl_ms':31536000001} | ttl_ms",
        "{'note':'n','attrs':{'a':null}} | attrs.a",
        "{'attrs':{'a':null},'to_topic':'a b','idem_key':''} | attrs.a,idem_key,note,to_topic",
      })
  void aBadResendNamesAllItsFields(String body, String fields) throws Exception {
    Answer refused = resend(body.replace('\'', '"'));
    assertEquals(400, refused.status());
    assertEquals(fields, String.join(",", new TreeSet<>(refused.fields())));
    assertNull(server.redrive.resend);
  }

  @Test
  void aResendWhoseKeyIsTakenIsAConflict() throws Exception {
    server.redrive.outcome = new SendOutcome.KeyConflict(MSG_ID);
    Answer refused = resend("{\"note\":\"n\"}");
    assertEquals(409, refused.status());
    assertEquals("E_DUPLICATE", refused.json().path("code").asText());
    server.redrive.outcome = new SendOutcome.Accepted(MSG_ID, true);
    assertTrue(resend("{\"note\":\"n\"}").json().path("duplicate").asBoolean());
    assertEquals(
        List.of("msg_id"), calls.post("/v1/dlq/orders/x/resend", "{\"note\":\"n\"}").fields());
  }

  private static JsonNode schema() throws IOException {
    try (InputStream yaml = JobEndpointTest.class.getResourceAsStream("/META-INF/openapi.yaml")) {
      return new YAMLMapper().readTree(yaml).at("/components/schemas/JobResponse");
    }
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
