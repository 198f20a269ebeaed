package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands that print what is there. */
class ListTest extends CliTest {
  ListTest() throws IOException {}

  private List<String> queries() {
    return service.requests().stream().map(FakeService.Request::query).toList();
  }

  private static List<String> text(Result result) {
    return result.lines().stream().map(JsonNode::toString).toList();
  }

  @Test
  void peekPrintsMessages() {
    service.next("GET /v1/topics/orders/peek", 200, "{\"messages\":[{\"seq\":1},{\"seq\":2}]}");
    Result result = run("peek", "orders", "-n", "2", "--shard", "3");
    assertEquals(0, result.code(), result::err);
    assertEquals(List.of("{\"seq\":1}", "{\"seq\":2}"), text(result));
    assertEquals(List.of("limit=2&shard=3"), queries());
  }

  @Test
  void topicsArePrintedPageAfterPage() {
    service
        .next("GET /v1/topics", 200, "{\"topics\":[{\"name\":\"a\"}],\"next_cursor\":\"c+1\"}")
        .next("GET /v1/topics", 200, "{\"topics\":[{\"name\":\"b\"}]}");
    assertEquals(List.of("{\"name\":\"a\"}", "{\"name\":\"b\"}"), text(run("topics")));
    assertEquals(List.of("limit=1000", "limit=1000&cursor=c%2B1"), queries());
  }

  @Test
  void topicsAreChosen() {
    service.next("GET /v1/topics", 200, "{\"topics\":[{\"name\":\"a\"}],\"matched\":9}");
    Result result = run("topics", "--match", "or.d", "--sort", "letters", "-n", "3");
    assertEquals(List.of("{\"name\":\"a\"}"), text(result));
    assertEquals(List.of("q=or.d&sort=letters&limit=3"), queries());
    assertEquals(2, run("topics", "orders", "--sort", "name").code());
  }

  @Test
  void aTopicThatIsMissingIsRefused() {
    service.nextProblem("GET /v1/topics/none", 404, "E_NOT_FOUND", ",\"detail\":\"no topic\"");
    Result missing = run("topics", "none");
    assertEquals(3, missing.code());
    assertTrue(missing.err().contains("no topic"), missing.err());
  }

  @Test
  void deadLettersAreFilteredAndBounded() {
    service
        .next(
            "GET /v1/dlq/orders", 200, "{\"letters\":[{\"n\":1},{\"n\":2}],\"next_cursor\":\"c\"}")
        .next(
            "GET /v1/dlq/orders", 200, "{\"letters\":[{\"n\":3},{\"n\":4}],\"next_cursor\":\"d\"}");
    Result result =
        run(
            "dlq",
            "list",
            "orders",
            "-n",
            "3",
            "--reason",
            "rejected",
            "--since",
            "2026-11-22T03:00:00Z",
            "--until=2026-11-23T03:00:00Z",
            "--attempt",
            "2",
            "--key",
            "k&1",
            "--corr-id",
            "c1",
            "--attr",
            "colour=dark red",
            "-q",
            "connect time*",
            "--fingerprint",
            "28f4de7b524cbb1a",
            "--fingerprint=2000000000000001",
            "--job=j0123456789abcdef");
    assertEquals(List.of("{\"n\":1}", "{\"n\":2}", "{\"n\":3}"), text(result));
    String filter =
        "reason=rejected&since=2026-11-22T03%3A00%3A00Z"
            + "&until=2026-11-23T03%3A00%3A00Z&attempt=2&idem_key=k%261&corr_id=c1&q=connect+time*"
            + "&job=j0123456789abcdef"
            + "&fingerprint=28f4de7b524cbb1a&fingerprint=2000000000000001&attr=colour%3Ddark+red";
    assertEquals(List.of(filter + "&limit=3", filter + "&limit=1&cursor=c"), queries());
  }

  @Test
  void groupsAndALetterArePrinted() {
    service.next("GET /v1/dlq/orders/groups", 200, "{\"groups\":[{\"count\":3}]}");
    assertEquals(List.of("{\"count\":3}"), text(run("dlq", "groups", "orders", "--attempt=3")));
    assertEquals(List.of("attempt=3"), queries());
    service.next("GET /v1/dlq/orders/" + ID, 200, "{\"reason\":\"rejected\"}");
    assertEquals(List.of("{\"reason\":\"rejected\"}"), text(run("dlq", "show", "orders", ID)));
  }

  @Test
  void aLedgerIsExportedToItsEnd() {
    StringBuilder full = new StringBuilder("{\"entries\":[{\"seq\":5}");
    for (int seq = 6; seq < 1005; seq++) {
      full.append(",{\"seq\":").append(seq).append('}');
    }
    service
        .next("GET /v1/topics/orders/ledger", 200, full + "]}")
        .next("GET /v1/topics/orders/ledger", 200, "{\"entries\":[{\"seq\":1005}]}");
    Result result = run("ledger", "export", "orders", "--shard", "2", "--from", "3");
    assertEquals(1001, result.lines().size());
    assertEquals(List.of("shard=2&from=3&limit=1000", "shard=2&from=1005&limit=1000"), queries());
  }

  @Test
  void anEmptyLedgerIsDone() {
    service.next("GET /v1/topics/orders/ledger", 200, "{\"entries\":[]}");
    Result result = run("ledger", "export", "orders", "--shard=0");
    assertEquals(0, result.code());
    assertEquals("", result.out());
  }
}
