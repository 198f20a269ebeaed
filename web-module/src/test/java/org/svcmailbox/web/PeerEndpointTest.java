package org.svcmailbox.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.route.CountsAnswer;
import org.svcmailbox.core.route.CountsCodec;
import org.svcmailbox.core.route.CountsQuestion;
import org.svcmailbox.core.route.ForwardedCall;
import org.svcmailbox.core.route.GroupResult;
import org.svcmailbox.core.route.GroupTask;
import org.svcmailbox.core.route.PeerAnswer;
import org.svcmailbox.core.route.PeerCall;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.ReadyCodec;
import org.svcmailbox.core.route.ReadyKey;
import org.svcmailbox.core.route.ReadyQuestion;
import org.svcmailbox.core.route.RecvId;
import org.svcmailbox.core.settings.MailboxSettings;

/** Frames of other nodes over HTTP. */
class PeerEndpointTest {
  private static final String OCTETS = "application/octet-stream";
  private static final ForwardedCall CALL =
      new ForwardedCall(
          new BearerToken("client"),
          null,
          Duration.ofSeconds(1),
          new PeerCall.GiveBack(new RecvId(1, 2)));
  private static final ReadyKey ORDERS = new ReadyKey(new TopicName("orders"), null);
  private static final ReadyQuestion QUESTION =
      new ReadyQuestion(7, 1, List.of(ORDERS, new ReadyKey(new TopicName("mails"), 3)));
  private static final byte[] FRAME = PeerCodec.callFrame(List.of(PeerCodec.encode(CALL)));

  private static HttpResponse<byte[]> call(
      TestServer server, String method, String token, String type, byte[] body)
      throws IOException, InterruptedException {
    return call(server, "/v1/peer/calls", method, token, type, body);
  }

  private static HttpResponse<byte[]> call(
      TestServer server, String path, String method, String token, String type, byte[] body)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(request(server, path, method, token, type, body), BodyHandlers.ofByteArray());
  }

  private static HttpRequest request(
      TestServer server, String path, String method, String token, String type, byte[] body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.address().getPort() + path))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", type)
        .method(method, BodyPublishers.ofByteArray(body))
        .build();
  }

  private static HttpResponse<byte[]> ready(TestServer server, byte[] body)
      throws IOException, InterruptedException {
    return call(server, "/v1/peer/ready", "POST", "node", OCTETS, body);
  }

  private static String code(HttpResponse<byte[]> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body()).path("code").asText();
  }

  @Test
  void aFrameIsCarriedOutAndAnswered() throws Exception {
    try (TestServer server = TestServer.open()) {
      server.peers.answer(new byte[] {7, 8, 9});
      HttpResponse<byte[]> answer = call(server, "POST", "node", OCTETS, FRAME);
      assertEquals(200, answer.statusCode());
      assertEquals(OCTETS, answer.headers().firstValue("Content-Type").orElseThrow());
      assertArrayEquals(new byte[] {7, 8, 9}, answer.body());
      assertEquals(List.of(CALL), server.peers.frames.poll());
      assertEquals(1, server.peers.unsent.getCount());
    }
  }

  @Test
  void aNodeIsToldTheCounts() throws Exception {
    try (TestServer server = TestServer.open()) {
      byte[] question = CountsCodec.encode(new CountsQuestion(7, 3));
      HttpResponse<byte[]> answer =
          call(server, "/v1/peer/state", "POST", "node", OCTETS, question);
      assertEquals(200, answer.statusCode());
      assertEquals(
          new CountsAnswer(7, 4, true, Set.of(3), List.of()), CountsCodec.answer(answer.body()));
      assertEquals(
          403, call(server, "/v1/peer/state", "POST", "client", OCTETS, question).statusCode());
      assertEquals(400, call(server, "/v1/peer/state", "POST", "node", OCTETS, FRAME).statusCode());
    }
  }

  @Test
  void aPartOfAnOperatorsCallIsCarriedOut() throws Exception {
    ForwardedCall question =
        new ForwardedCall(
            CALL.token(),
            null,
            CALL.left(),
            new PeerCall.Ask(Set.of(3), new GroupTask.Purge(new TopicName("orders"))));
    byte[] one = PeerCodec.encode(question);
    try (TestServer server = TestServer.open()) {
      String path = "/v1/peer/groups";
      byte[] frame = PeerCodec.callFrame(List.of(one));
      HttpResponse<byte[]> answer = call(server, path, "POST", "node", OCTETS, frame);
      assertEquals(200, answer.statusCode());
      assertEquals(
          List.of(new PeerAnswer.Told(GroupResult.counted(Set.of(3), 5, false))),
          PeerCodec.answers(answer.body()));
      assertEquals(List.of(question), server.peers.frames.poll());
      assertEquals(403, call(server, path, "POST", "client", OCTETS, frame).statusCode());
      byte[] two = PeerCodec.callFrame(List.of(one, one));
      assertEquals(400, call(server, path, "POST", "node", OCTETS, two).statusCode());
      assertTrue(server.peers.frames.isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST, client, application/octet-stream, 403, E_CAP_SCOPE",
    "GET, client, application/octet-stream, 403, E_CAP_SCOPE",
    "GET, node, application/octet-stream, 405, E_SCHEMA",
    "POST, node, application/json, 415, E_SCHEMA",
  })
  void otherCallsAreRefusedBeforeTheirBodyIsRead(
      String method, String token, String type, int status, String code) throws Exception {
    try (TestServer server = TestServer.open()) {
      for (String path : List.of("/v1/peer/calls", "/v1/peer/ready")) {
        HttpResponse<byte[]> answer = call(server, path, method, token, type, FRAME);
        assertEquals(status, answer.statusCode());
        assertEquals(code, code(answer));
      }
      assertTrue(server.peers.frames.isEmpty());
    }
  }

  @Test
  void aQuestionIsAnsweredOnceATopicHasMessages() throws Exception {
    try (TestServer server = TestServer.open()) {
      CompletableFuture<HttpResponse<byte[]>> answer =
          HttpClient.newHttpClient()
              .sendAsync(
                  request(
                      server,
                      "/v1/peer/ready",
                      "POST",
                      "node",
                      OCTETS,
                      ReadyCodec.encode(QUESTION)),
                  BodyHandlers.ofByteArray());
      assertEquals(QUESTION, server.peers.questions.poll(10, TimeUnit.SECONDS));
      assertFalse(answer.isDone());
      server.peers.ready.complete(List.of(ORDERS));
      HttpResponse<byte[]> ready = answer.get(10, TimeUnit.SECONDS);
      assertEquals(200, ready.statusCode());
      assertEquals(List.of(ORDERS), ReadyCodec.keys(ready.body()));
    }
  }

  @Test
  void aQuestionThatCannotBeReadIsRefused() throws Exception {
    try (TestServer server = TestServer.open()) {
      byte[] large = new byte[ReadyCodec.MOST_BYTES + 1];
      assertEquals(400, ready(server, FRAME).statusCode());
      assertEquals(413, ready(server, large).statusCode());
      assertTrue(server.peers.questions.isEmpty());
    }
  }

  @Test
  void aFrameThatCannotBeReadIsRefused() throws Exception {
    try (TestServer server = TestServer.open()) {
      byte[] later = FRAME.clone();
      later[0] = 2;
      HttpResponse<byte[]> answer = call(server, "POST", "node", OCTETS, later);
      assertEquals(400, answer.statusCode());
      assertEquals(
          "the frame has version 2",
          new ObjectMapper().readTree(answer.body()).at("/errors/0/message").asText());
      assertTrue(server.peers.frames.isEmpty());
    }
  }

  /** Other nodes fill frames whatever the largest payload of a client is. */
  @Test
  void aFullFrameIsTakenWhateverTheLargestPayloadIs() throws Exception {
    ForwardedCall large =
        new ForwardedCall(
            CALL.token(),
            null,
            CALL.left(),
            new PeerCall.Send(
                new SendRequest(
                    new TopicName("orders"),
                    Payload.owning(new byte[PeerCodec.FULL]),
                    new IdemKey("k"),
                    Attributes.NONE,
                    null,
                    null,
                    Duration.ZERO,
                    null)));
    byte[] frame = PeerCodec.callFrame(List.of(PeerCodec.encode(large), PeerCodec.encode(CALL)));
    MailboxSettings settings =
        TestSettings.with(
            Map.of(
                "mailbox.max_frame", "1",
                "mailbox.cluster.node", "a",
                "mailbox.cluster.url", "http://a",
                "mailbox.broker.url", "tcp://broker:61617",
                "mailbox.broker.user", "u",
                "mailbox.broker.password", "p",
                "mailbox.topics.auto_create", "false"));
    try (TestServer server = TestServer.open(settings)) {
      server.peers.answer(new byte[] {7});
      assertEquals(200, call(server, "POST", "node", OCTETS, frame).statusCode());
      assertEquals(2, server.peers.frames.remove().size());
    }
  }

  @Test
  void aFrameThatIsTooLargeIsRefused() throws Exception {
    try (TestServer server = TestServer.open()) {
      byte[] large = new byte[PeerCodec.MOST_CALL_BYTES + 1];
      assertEquals(413, call(server, "POST", "node", OCTETS, large).statusCode());
      assertTrue(server.peers.frames.isEmpty());
    }
  }

  @Test
  void leasesOfAnAnswerThatComesTooLateAreGivenBack() throws Exception {
    try (TestServer server = TestServer.open(Duration.ofMillis(100))) {
      assertEquals(503, call(server, "POST", "node", OCTETS, FRAME).statusCode());
      server.peers.answer(new byte[] {1});
      assertTrue(server.peers.unsent.await(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void aServerThatIsAloneSaysSo() throws ServletException, IOException, InterruptedException {
    try (TestServer server = TestServer.open()) {
      server.peers.isAlone = true;
      HttpResponse<byte[]> answer = call(server, "POST", "node", OCTETS, FRAME);
      assertEquals(404, answer.statusCode());
      assertEquals("E_NOT_FOUND", code(answer));
    }
  }
}
