package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.web.HttpCalls.Answer;
import org.svcmailbox.web.problem.Funnel;
import org.svcmailbox.web.trace.Correlation;

/** The correlation id of a request. */
class CorrelationEndpointTest {
  private static final MsgId MSG_ID = MsgId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  private static final String UUID_7 =
      "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  private static final long PATIENCE_SECONDS = 10;

  private final TestServer server = TestServer.open();
  private final HttpCalls calls = HttpCalls.to(server);
  private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
  private final Logger logger = Logger.getLogger(Funnel.class.getName());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          logged.add(String.valueOf(MDC.get("corr_id")));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  CorrelationEndpointTest() throws ServletException {}

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void close() throws ServletException {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    server.close();
  }

  @Test
  void theClientsIdIsTheCorrelationId() throws Exception {
    assertEquals(400, post("/v1/send", "{", "mine").status());
    assertEquals("mine", nextLogged());
    assertEquals(404, call("GET", "/v1/nothing", "mine too").status());
    assertEquals("mine too", nextLogged());
    assertEquals(404, call("GET", "/nothing", "outside").status());
    assertEquals("outside", nextLogged());
  }

  @Test
  void withoutANameOrWithABadOneEveryRequestGetsOneOfItsOwn() throws Exception {
    post("/v1/send", "{", "x".repeat(129));
    String first = nextLogged();
    calls.post("/v1/send", "{");
    String second = nextLogged();
    assertTrue(first.matches(UUID_7), first);
    assertTrue(second.matches(UUID_7), second);
    assertNotEquals(first, second);
  }

  @Test
  void aSendIsCalledAsItsMessage() throws Exception {
    CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onSend = request -> outcome;
    var answer = calls.begin("/v1/send", send("\"corr_id\": \"a\\nb\", "));
    SendRequest sent = server.mailbox.next(SendRequest.class);
    outcome.complete(new KeyConflict(MSG_ID));
    assertEquals(409, answer.join().statusCode());
    assertEquals("a\nb", Objects.requireNonNull(sent.corrId()).value());
    assertEquals("a?b", nextLogged());
  }

  @Test
  void aMessageThatIsNotNamedIsCalledAsItsRequest() throws Exception {
    server.mailbox.onSend = request -> CompletableFuture.completedStage(new KeyConflict(MSG_ID));
    assertEquals(409, post("/v1/send", send(""), "mine").status());
    assertEquals("mine", corrIdSent());
    assertEquals("mine", nextLogged());
    assertEquals(409, calls.post("/v1/send", send("")).status());
    String ours = corrIdSent();
    assertTrue(ours.matches(UUID_7), ours);
    assertEquals(ours, nextLogged());
  }

  @Test
  void aBatchKeepsItsRequestsIdForAnyMessageIds() throws Exception {
    CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
    server.mailbox.onSend = request -> outcome;
    String batch = "{\"messages\": [" + send("\"corr_id\": \"own\", ") + "," + send("") + "]}";
    var answer =
        calls.begin(
            calls
                .request("POST", "/v1/send/batch", BodyPublishers.ofString(batch))
                .header(Correlation.HEADER, "mine"));
    assertEquals("own", corrIdSent());
    assertEquals(null, server.mailbox.next(SendRequest.class).corrId());
    outcome.complete(new KeyConflict(MSG_ID));
    assertEquals(200, answer.join().statusCode());
    assertEquals("mine", nextLogged());
    assertEquals("mine", nextLogged());
  }

  @Test
  void aFailureIsAnsweredWithTheNameThatTheLogHas() throws Exception {
    server.mailbox.onSend = request -> CompletableFuture.failedStage(new IllegalStateException());
    Answer answer = post("/v1/send", send(""), "mine");
    assertEquals(500, answer.status());
    assertEquals("mine", answer.json().path("corr_id").asText());
    assertEquals("mine", nextLogged());
  }

  private static String send(String more) {
    return "{" + more + "\"topic\": \"orders\", \"payload\": \"AAEC\", \"idem_key\": \"k-1\"}";
  }

  private Answer post(String path, String body, String name) throws Exception {
    return calls.call(
        calls
            .request("POST", path, BodyPublishers.ofString(body))
            .header(Correlation.HEADER, name));
  }

  private Answer call(String method, String path, String name) throws Exception {
    return calls.call(
        calls.request(method, path, BodyPublishers.noBody()).header(Correlation.HEADER, name));
  }

  private String corrIdSent() throws InterruptedException {
    return Objects.requireNonNull(server.mailbox.next(SendRequest.class).corrId()).value();
  }

  private String nextLogged() throws InterruptedException {
    String name = logged.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertNotNull(name, "nothing was logged");
    return name;
  }
}
