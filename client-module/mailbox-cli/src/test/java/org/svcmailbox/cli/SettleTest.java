package org.svcmailbox.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** ack, nack and extend. */
class SettleTest extends CliTest {
  SettleTest() throws IOException {}

  @Test
  void anIdIsEnough() {
    Result result = run("ack", ID);
    assertEquals(0, result.code(), result::err);
    assertEquals("{\"msg_id\":\"" + ID + "\"}", service.request("POST /v1/ack").body());
    assertEquals("{\"msg_id\":\"" + ID + "\",\"ok\":true}", result.line().toString());
  }

  @Test
  void optionsTravel() {
    run("nack", ID, "--receipt", "r1", "--reason", "no basket", "--delay", "5s");
    run("extend", ID, "--visibility", "1m");
    run("nack", ID, "--dead-letter", "--reason", "no such account");
    assertEquals(
        List.of(
            "{\"msg_id\":\""
                + ID
                + "\",\"receipt\":\"r1\",\"reason\":\"no basket\",\"delay_ms\":5000}",
            "{\"msg_id\":\"" + ID + "\",\"visibility_ms\":60000}",
            "{\"msg_id\":\"" + ID + "\",\"reason\":\"no such account\",\"dead_letter\":true}"),
        service.requests().stream().map(FakeService.Request::body).toList());
  }

  @Test
  void receivedLinesAreSettledInBatches() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      lines.append(FakeService.leased("orders", "m" + i, "apple")).append('\n');
    }
    input(lines.toString());
    Result result = run("ack");
    assertEquals(0, result.code());
    assertEquals(101, result.lines().size());
    assertEquals(100, service.request("POST /v1/ack/batch").json().path("acks").size());
    assertEquals(
        "{\"msg_id\":\"m100\",\"receipt\":\"receipt-m100\"}",
        service.request("POST /v1/ack").body());
  }

  @Test
  void aLostLeaseIsRefused() {
    service.nextProblem("POST /v1/ack", 410, "E_RECEIPT", ",\"why\":\"expired\"");
    Result result = run("ack", ID, "--receipt", "r");
    assertEquals(3, result.code());
    assertTrue(result.line().path("error").asText().contains("expired"), result::toString);
  }

  @Test
  void someRefusalsAmongOthersAreFailuresOfSome() {
    service.next(
        "POST /v1/ack/batch",
        200,
        "{\"results\":[{\"ok\":true},{\"error\":{\"status\":404,\"msg_id\":\"b\"}}]}");
    input("{\"msg_id\":\"a\"}\n{\"msg_id\":\"b\"}\n");
    assertEquals(1, run("ack").code());
  }

  @Test
  void aRefusalShowsNoToken() {
    service.nextProblem("POST /v1/ack", 400, "E_SCHEMA", ",\"detail\":\"" + OTHERS + " is no id\"");
    Result result = run("ack", ID, "--receipt", "r");
    String error = result.line().path("error").asText();
    assertTrue(error.contains("[token] is no id"), error);
  }

  @Test
  void aServiceThatIsAwayIsUnavailable() {
    service.nextProblem("POST /v1/ack", 503, "E_UNAVAILABLE", ",\"retry_after_ms\":60000");
    assertEquals(4, run("ack", ID, "--timeout", "1s").code());
  }

  @Test
  void linesThatAreNoMessagesAreRefusedAndNothingToSettleIsNothing() {
    input("{\"line\":1}\n");
    assertEquals(2, run("ack").code());
    input("none\n");
    assertEquals(2, run("ack").code());
    input("");
    assertEquals(6, run("ack").code());
    assertEquals(0, service.requests().size());
  }
}
