package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that take dead letters out of their queue, and the jobs that do it. */
class MoveTest extends CliTest {
  private static final String START = "POST /v1/dlq/orders/jobs";
  private static final String JOB = "j0123456789abcdef";
  private static final String STATE = "GET /v1/jobs/" + JOB;

  MoveTest() throws IOException {}

  private static String job(String state, int done, int failed) {
    String finished = state.equals("running") ? "" : ",\"finished_at\":\"2026-01-02T03:04:05Z\"";
    return "{\"job_id\":\"%s\",\"action\":\"reprocess\",\"state\":\"%s\",\"total\":3,\"done\":%d,"
            .formatted(JOB, state, done)
        + "\"failed\":%d,\"gone\":0%s}".formatted(failed, finished);
  }

  private void counts(int total) {
    service.next(
        START,
        200,
        "{\"dry_run\":true,\"total\":" + total + ",\"by_reason\":{\"rejected\":" + total + "}}");
  }

  private JsonNode order(int index) {
    return service.requests(START).get(index).json();
  }

  @Test
  void aDryRunOnlyCounts() {
    counts(3);
    Result result = run("dlq", "reprocess", "orders", "--dry-run", "--reason", "rejected");
    assertEquals(0, result.code(), result::err);
    assertEquals(3, result.line().path("total").asInt());
    assertEquals(
        "{\"action\":\"reprocess\",\"filter\":{\"reason\":\"rejected\"},\"dry_run\":true}",
        service.request(START).body());
  }

  @Test
  void aJobIsCountedStartedAndFollowedToItsEnd() {
    counts(3);
    service
        .next(START, 202, job("running", 0, 0))
        .next(STATE, 200, job("running", 1, 0))
        .next(STATE, 200, job("done", 3, 0));
    Result result =
        run(
            "dlq",
            "reprocess",
            "orders",
            ID,
            OTHER_ID,
            "--yes",
            "--note",
            "INC-1",
            "--rate",
            "50",
            "--to-topic",
            "repaired",
            "--ttl",
            "2h");
    assertEquals(0, result.code(), result::err);
    assertEquals("done", result.line().path("state").asText());
    assertEquals(2, service.requests(STATE).size());
    assertEquals(
        "{\"action\":\"reprocess\",\"msg_ids\":[\"%s\",\"%s\"],\"rate_per_s\":50,"
                .formatted(ID, OTHER_ID)
            + "\"to_topic\":\"repaired\",\"ttl_ms\":7200000,\"note\":\"INC-1\"}",
        order(1).toString());
    assertTrue(order(0).path("dry_run").asBoolean());
    assertEquals(7_200_000, order(0).path("ttl_ms").asInt());
  }

  @ParameterizedTest
  @CsvSource({"done, 2, 1", "cancelled, 1, 0", "failed, 0, 0"})
  void aJobThatDidNotMoveAllFails(String state, int done, int failed) {
    counts(3);
    service.next(START, 202, job(state, done, failed));
    assertEquals(1, run("dlq", "discard", "orders", "--yes", "--note=x").code());
  }

  @Test
  void noLettersAreDoneWithoutAJobOrAQuestion() {
    counts(0);
    assertEquals(0, run("dlq", "discard", "orders", "--note", "x").code());
    assertEquals(1, service.requests(START).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"y\n", "YES\n", "y"})
  void aQuestionShowsTheCountsAndYesGoesOn(String answer) {
    asks = true;
    input(answer);
    counts(3);
    service.next(START, 202, job("done", 3, 0));
    Result result = run("dlq", "discard", "orders", "--note", "x");
    assertEquals(0, result.code());
    assertEquals("discard 3 dead letters of orders (3 rejected)? [y/N] ", result.err());
  }

  @Test
  void aQuestionShowsTheAdviceOfTheService() {
    asks = true;
    input("n\n");
    service.next(
        START,
        200,
        "{\"dry_run\":true,\"total\":1,\"by_reason\":{\"expired\":1},\"advice\":\"give ttl_ms\"}");
    Result result = run("dlq", "reprocess", "orders", "--note", "x");
    assertEquals(
        "give ttl_ms\nreprocess 1 dead letter of orders (1 expired)? [y/N] ", result.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "", "n\n", "yesterday\n"})
  void anyOtherAnswerChangesNothing(String answer) {
    asks = true;
    input(answer);
    counts(1);
    Result result = run("dlq", "reprocess", "orders", "--note", "x", "--to-topic", "repaired");
    assertEquals(130, result.code());
    assertEquals(
        "reprocess 1 dead letter of orders (1 rejected) to repaired? [y/N] ", result.err());
    assertEquals(1, service.requests(START).size());
  }

  @Test
  void withoutATerminalNobodyIsAsked() {
    counts(3);
    input("y\n");
    Result result = run("dlq", "discard", "orders", "--note", "x");
    assertEquals(2, result.code());
    assertTrue(result.err().contains("--yes"), result.err());
    assertEquals(1, service.requests(START).size());
  }

  @Test
  void aJobNeedNotBeFollowed() {
    counts(3);
    service.next(START, 202, job("running", 0, 0));
    Result result = run("dlq", "discard", "orders", "--yes", "--note=x", "--detach");
    assertEquals(0, result.code());
    assertEquals("running", result.line().path("state").asText());
    assertEquals(List.of(), service.requests(STATE));
  }

  @Test
  void anInterruptDetachesAndTheJobGoesOn() throws Exception {
    counts(3);
    service.next(START, 202, job("running", 0, 0));
    for (int i = 0; i < 100; i++) {
      service.next(STATE, 200, job("running", 1, 0));
    }
    CompletableFuture<Result> ended = new CompletableFuture<>();
    Thread follower =
        new Thread(() -> ended.complete(run("dlq", "discard", "orders", "--yes", "--note", "x")));
    follower.start();
    service.await(STATE);
    follower.interrupt();
    Result result = ended.get(20, TimeUnit.SECONDS);
    assertEquals(130, result.code());
    assertEquals(JOB, result.line().path("job_id").asText());
    assertTrue(result.err().contains("mailbox dlq jobs " + JOB), result.err());
    assertTrue(service.requests().stream().noneMatch(r -> r.call().endsWith("/cancel")));
  }

  @Test
  void jobsAreListed() {
    service.next("GET /v1/jobs", 200, "{\"jobs\":[" + job("done", 3, 0) + "]}");
    Result result = run("dlq", "jobs", "--topic", "orders", "-n", "7");
    assertEquals(JOB, result.line().path("job_id").asText());
    assertEquals("topic=orders&limit=7", service.request("GET /v1/jobs").query());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "cancel"})
  void aJobIsChanged(String verb) {
    service.next("POST /v1/jobs/" + JOB + "/" + verb, 200, job("running", 1, 0));
    assertEquals(0, run("dlq", "jobs", JOB, "--" + verb).code());
    assertEquals("", service.request("POST /v1/jobs/" + JOB + "/" + verb).body());
  }

  @Test
  void theRateOfAJobIsChanged() {
    service.next("POST /v1/jobs/" + JOB + "/rate", 200, job("running", 1, 0));
    assertEquals(0, run("dlq", "jobs", JOB, "--rate", "20").code());
    assertEquals("{\"rate_per_s\":20}", service.request("POST /v1/jobs/" + JOB + "/rate").body());
    assertEquals(2, run("dlq", "jobs", JOB, "--rate=20", "--pause").code());
  }

  @Test
  void aJobIsFollowedToThePauseAfterItsFirstLetters() {
    String held = job("paused", 3, 0).replaceFirst("\\{", "{\"paused_because\":\"first\",");
    service.next(STATE, 200, job("running", 1, 0)).next(STATE, 200, held);
    Result result = run("dlq", "jobs", JOB, "--wait");
    assertEquals(0, result.code());
    assertEquals("paused", result.line().path("state").asText());
    assertTrue(result.err().contains("mailbox dlq jobs " + JOB + " --resume"), result.err());
  }

  @Test
  void aJobIsFollowedLater() {
    service.next(STATE, 200, job("running", 1, 0)).next(STATE, 200, job("done", 2, 1));
    Result result = run("dlq", "jobs", JOB, "--wait");
    assertEquals(1, result.code());
    assertEquals("done", result.line().path("state").asText());
  }

  private void letter() {
    letter("no such account");
  }

  private void letter(String error) {
    service.next(
        "GET /v1/dlq/orders/" + ID,
        200,
        "{\"msg_id\":\"" + ID + "\",\"reason\":\"rejected\",\"last_error\":\"" + error + "\"}");
  }

  @Test
  void aLetterIsSentAgainChanged() throws IOException {
    letter();
    String resend = "POST /v1/dlq/orders/" + ID + "/resend";
    service.next(resend, 200, "{\"msg_id\":\"" + OTHER_ID + "\",\"duplicate\":false}");
    Path payload = write("payload", "{\"amount\":10}");
    Result result =
        run(
            "dlq",
            "resend",
            "orders",
            ID,
            "--yes",
            "--note",
            "INC-1",
            "--payload",
            payload.toString(),
            "--attr",
            "colour=red",
            "--to-topic",
            "repaired",
            "--key",
            "k1",
            "--ttl",
            "1500ms");
    assertEquals(0, result.code(), result::err);
    assertEquals(OTHER_ID, result.line().path("msg_id").asText());
    assertEquals(
        "{\"note\":\"INC-1\",\"payload\":\"eyJhbW91bnQiOjEwfQ==\",\"attrs\":{\"colour\":\"red\"},"
            + "\"to_topic\":\"repaired\",\"idem_key\":\"k1\",\"ttl_ms\":1500}",
        service.request(resend).body());
  }

  @Test
  void aResendKeepsWhatIsNotGivenAndAsks() {
    asks = true;
    input("y\n");
    letter();
    Result result = run("dlq", "resend", "orders", ID, "--note", "INC-1");
    assertEquals(
        "resend 1 dead letter of orders (rejected: no such account) to orders? [y/N] ",
        result.err());
    assertEquals(
        "{\"note\":\"INC-1\"}", service.request("POST /v1/dlq/orders/" + ID + "/resend").body());
  }

  @Test
  void aQuestionShowsNoToken() {
    asks = true;
    input("n\n");
    letter(OTHERS + " was refused");
    Result result = run("dlq", "resend", "orders", ID, "--note", "INC-1");
    assertEquals(
        "resend 1 dead letter of orders (rejected: [token] was refused) to orders? [y/N] ",
        result.err());
  }

  @Test
  void aResendHasADryRun() {
    letter();
    Result result = run("dlq", "resend", "orders", ID, "--dry-run");
    assertEquals(
        "{\"dry_run\":true,\"total\":1,\"by_reason\":{\"rejected\":1}}", result.line().toString());
    assertEquals(1, service.requests().size());
  }
}
