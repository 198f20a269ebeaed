package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendOutcome.KeyConflict;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.web.HttpCalls.Answer;

/** Answers that complete after the request's own thread has returned. */
class AnsweringTest {
  private static final int PATIENCE_SECONDS = 10;
  private static final MsgId MSG_ID = MsgId.create(0, Instant.EPOCH);

  /** The web servers under test. */
  private enum Place {
    OUR_SERVER,
    ELSEWHERE;

    TestServer open() throws ServletException {
      return this == OUR_SERVER ? TestServer.open() : TestServer.openElsewhere();
    }
  }

  private static String message(int number) {
    return "{\"topic\": \"orders\", \"payload\": \"AAEC\", \"idem_key\": \"k-" + number + "\"}";
  }

  private static String batch(int size) {
    return IntStream.range(0, size)
        .mapToObj(AnsweringTest::message)
        .collect(Collectors.joining(",", "{\"messages\": [", "]}"));
  }

  /** Starts a SEND whose outcome is pending. */
  private static CompletableFuture<HttpResponse<String>> suspended(
      TestServer server, CompletableFuture<SendOutcome> outcome) throws InterruptedException {
    server.mailbox.onSend = request -> outcome;
    CompletableFuture<HttpResponse<String>> answer =
        HttpCalls.to(server).begin("/v1/send", message(1));
    server.mailbox.next(SendRequest.class);
    return answer;
  }

  @ParameterizedTest
  @EnumSource
  void anOutcomeThatComesLaterIsAnswered(Place place) throws Exception {
    try (TestServer server = place.open()) {
      CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
      CompletableFuture<HttpResponse<String>> answer = suspended(server, outcome);
      assertFalse(answer.isDone());
      outcome.complete(new Accepted(MSG_ID, false));
      assertEquals(200, answer.join().statusCode());
      assertEquals("{\"msg_id\":\"" + MSG_ID + "\",\"duplicate\":false}", answer.join().body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureThatComesLaterIsAProblem(Place place) throws Exception {
    try (TestServer server = place.open()) {
      CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
      CompletableFuture<HttpResponse<String>> answer = suspended(server, outcome);
      outcome.completeExceptionally(new IllegalStateException("secret"));
      assertEquals(500, answer.join().statusCode());
      assertTrue(answer.join().body().contains("E_INTERNAL"), answer.join().body());
      assertFalse(answer.join().body().contains("secret"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerThatNoBufferHoldsArrivesWhole(Place place) throws Exception {
    try (TestServer server = place.open()) {
      List<CompletableFuture<SendOutcome>> outcomes =
          Collections.synchronizedList(new ArrayList<>());
      server.mailbox.onSend =
          request -> {
            CompletableFuture<SendOutcome> outcome = new CompletableFuture<>();
            outcomes.add(outcome);
            return outcome;
          };
      CompletableFuture<HttpResponse<String>> begun =
          HttpCalls.to(server).begin("/v1/send/batch", batch(100));
      for (int i = 0; i < 100; i++) {
        server.mailbox.next(SendRequest.class);
      }
      outcomes.forEach(outcome -> outcome.complete(new KeyConflict(MSG_ID)));
      Answer answer = new Answer(begun.join());
      assertEquals(200, answer.status());
      assertTrue(answer.response().body().length() > 20_000);
      assertEquals(100, answer.json().path("results").size());
    }
  }

  @ParameterizedTest
  @EnumSource
  void messagesThatComeLaterAreHandedOut(Place place) throws Exception {
    try (TestServer server = place.open()) {
      CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
      server.mailbox.onRecv = request -> outcome;
      CompletableFuture<HttpResponse<String>> answer =
          HttpCalls.to(server).begin("/v1/recv", "{\"topic\": \"t\", \"wait_ms\": 30000}");
      server.mailbox.nextRecv();
      outcome.complete(Delivered.NONE);
      assertEquals(200, answer.join().statusCode());
      assertEquals("{\"messages\":[]}", answer.join().body());
    }
  }

  @Test
  void anOutcomeThatDoesNotComeIsUnknown() throws Exception {
    try (TestServer server = TestServer.open(Duration.ofMillis(50))) {
      server.mailbox.onSend = request -> new CompletableFuture<>();
      Answer answer = HttpCalls.to(server).post("/v1/send", message(1));
      assertEquals(503, answer.status(), answer.response().body());
      assertEquals("E_UNAVAILABLE", answer.json().path("code").asText());
      assertEquals("/v1/send", answer.json().path("instance").asText());
    }
  }

  @Test
  void messagesThatComeTooLateAreGivenBack() throws Exception {
    try (TestServer server = TestServer.open(Duration.ofMillis(50))) {
      CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
      server.mailbox.onRecv = request -> outcome;
      assertEquals(503, HttpCalls.to(server).post("/v1/recv", "{\"topic\": \"t\"}").status());
      FakeMailbox.Recv recv = server.mailbox.nextRecv();
      assertFalse(recv.isAbandoned().isDone());
      outcome.complete(Delivered.NONE);
      recv.isAbandoned().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
