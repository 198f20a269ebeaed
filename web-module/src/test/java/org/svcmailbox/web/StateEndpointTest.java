package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The state of the service over HTTP. */
class StateEndpointTest {
  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);

  StateEndpointTest() throws ServletException {}

  @AfterEach
  void close() throws ServletException {
    server.close();
  }

  @Test
  void theStateIsToldWithItsConditions() throws Exception {
    JsonNode expected =
        new ObjectMapper()
            .readTree(
                """
                {"version": "1.2.3", "started_at": "1970-01-01T00:00:00.000Z",
                 "dlq_profile": "durable", "disk": {"free_bytes": 7, "reserve_bytes": 3},
                 "undeliverable": 5,
                 "broker": {"kind": "external", "serving": "b1.example:61616", "standby": true},
                 "conditions": [
                   {"id": "part_down", "since": "1970-01-01T00:00:01.000Z", "subject": "database",
                    "runbook": "OPERATIONS.md#not-ready"},
                   {"id": "letters_new", "since": "1970-01-01T00:00:02.000Z", "topic": "orders",
                    "subject": "rejected", "value": 12.0, "runbook": "OPERATIONS.md#dead-letters"}],
                 "left_out": 3}
                """);
    assertEquals(expected, calls.call("GET", "/v1/state").json());
  }

  @Test
  void aStateHasNoParameters() throws Exception {
    assertEquals(400, calls.call("GET", "/v1/state?topic=orders").status());
  }
}
