package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that change topics. */
class TopicTest extends CliTest {
  private static final String GET = "GET /v1/topics/orders";
  private static final String PUT = "PUT /v1/topics/orders";

  private static final String TOPIC =
      "{\"name\":\"orders\",\"version\":\"12.3\",\"max_attempts\":5,\"retention_dlq\":\"14d\",\"reprocess_after\":\"1h\","
          + "\"paused\":false,\"closing_shards\":0,\"ready\":7,\"inflight\":1,\"delayed\":2,\"dlq\":3,"
          + "\"saturation\":0.5,\"dlq_profile\":\"durable\",\"oldest_ready_age_ms\":9}";

  private static final String SHAPED =
      "{\"name\":\"orders\",\"paused\":false,\"depth\":9,\"ready\":7,\"scheduled\":2,\"inflight\":1,"
          + "\"dlq\":3,\"saturation\":0.5,\"oldest_ready_age_ms\":9,\"settings\":{\"max_attempts\":5,\"retention_dlq\":\"14d\","
          + "\"reprocess_after\":\"1h\"},\"version\":\"12.3\",\"closing_shards\":0,"
          + "\"dlq_profile\":\"durable\"}";

  TopicTest() throws IOException {}

  private List<String> calls() {
    return service.requests().stream().map(FakeService.Request::call).toList();
  }

  private String body(int call) {
    return service.requests().get(call).body();
  }

  @Test
  void oneTopicHasTheShapeOfAListAndItsDetails() {
    service.next(GET, 200, TOPIC);
    assertEquals(SHAPED, run("topics", "orders").line().toString());
  }

  @Test
  void aTopicIsCreatedWithTheSettingsThatAreGiven() {
    service.next(PUT, 201, TOPIC);
    Result result = run("topic", "create", "orders", "max_attempts=3", "retention_dlq=30d");
    assertEquals(0, result.code(), result::err);
    assertEquals(SHAPED, result.line().toString());
    assertEquals(List.of(PUT), calls());
    assertEquals("{\"max_attempts\":3,\"retention_dlq\":\"30d\"}", body(0));
    assertEquals("If-None-Match: *", service.requests().get(0).condition());
  }

  @Test
  void aTopicThatIsThereIsNotReplaced() {
    service.nextProblem(PUT, 412, "E_PRECONDITION", "");
    Result result = run("topic", "create", "orders");
    assertEquals(3, result.code());
    assertTrue(result.err().contains("there is a topic orders already"), result.err());
    assertEquals(List.of(PUT), calls());
  }

  @Test
  void aChangeKeepsTheOtherSettings() {
    service.next("PATCH /v1/topics/orders", 200, TOPIC);
    Result result = run("topic", "change", "orders", "max_attempts=9", "retention_dlq=");
    assertEquals(0, result.code(), result::err);
    assertEquals(SHAPED, result.line().toString());
    assertEquals("{\"max_attempts\":9}", body(0));
    assertEquals("reset=retention_dlq", service.requests().get(0).query());
  }

  @Test
  void aChangeCanBeOfOneVersionAlone() {
    service.next("PATCH /v1/topics/orders", 200, TOPIC);
    String[] call = {"topic", "change", "orders", "max_attempts=9", "--if-version", "12.3"};
    assertEquals(0, run(call).code());
    assertEquals("If-Match: \"12.3\"", service.requests().get(0).condition());
    service.nextProblem("PATCH /v1/topics/orders", 412, "E_PRECONDITION", "");
    Result refused = run(call);
    assertEquals(3, refused.code());
    assertTrue(refused.err().contains("E_PRECONDITION"), refused.err());
    run("topic", "change", "orders", "max_attempts=9");
    assertEquals("", service.requests().get(2).condition());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume"})
  void deliveriesArePausedAndResumed(String verb) {
    assertEquals("{\"ok\":true}", run("topic", verb, "orders").line().toString());
    assertEquals(List.of("POST /v1/topics/orders/" + verb), calls());
  }

  @Test
  void aTopicIsDeletedAfterAYes() {
    asks = true;
    input("y\n");
    service.next(GET, 200, TOPIC);
    Result result = run("topic", "delete", "orders");
    assertEquals(0, result.code(), result::err);
    assertTrue(result.err().contains("Delete orders with 10 messages and 3 dead letters"));
    assertEquals(List.of(GET, "DELETE /v1/topics/orders"), calls());
  }

  @ParameterizedTest
  @ValueSource(strings = {"topic delete orders", "purge orders"})
  void nothingIsDeletedAfterANo(String line) {
    asks = true;
    input("n\n");
    service.next(GET, 200, TOPIC);
    assertEquals(130, run(line.split(" ", -1)).code());
    assertEquals(List.of(GET), calls());
  }

  @ParameterizedTest
  @ValueSource(strings = {"topic delete orders", "purge orders"})
  void nothingIsDeletedWhereNobodyCanBeAsked(String line) {
    service.next(GET, 200, TOPIC);
    Result result = run(line.split(" ", -1));
    assertEquals(2, result.code());
    assertTrue(result.err().contains("give --yes"), result.err());
    assertEquals(List.of(GET), calls());
  }

  /** The first attempt may have deleted it. */
  @Test
  void aDeletionWhoseAnswerWasLostIsDoneWhenTheTopicIsGone() {
    service
        .next(GET, 200, TOPIC)
        .nextProblem("DELETE /v1/topics/orders", 503, "E_UNAVAILABLE", "")
        .nextProblem("DELETE /v1/topics/orders", 404, "E_NOT_FOUND", "");
    Result result = run("topic", "delete", "orders", "--yes");
    assertEquals(0, result.code(), result::err);
    service.next(GET, 200, TOPIC).nextProblem("DELETE /v1/topics/orders", 404, "E_NOT_FOUND", "");
    assertEquals(3, run("topic", "delete", "orders", "--yes").code());
  }

  @Test
  void aPurgePrintsHowManyWent() {
    service.next(GET, 200, TOPIC).next("POST /v1/topics/orders/purge", 200, "{\"purged\":9}");
    Result result = run("purge", "orders", "--yes");
    assertEquals("{\"purged\":9}", result.line().toString());
  }
}
