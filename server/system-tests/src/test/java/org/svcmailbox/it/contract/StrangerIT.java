package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.client.Tokens;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/** Callers without a right cost little. */
@Order(1)
@ContractTest
class StrangerIT {
  private static final int MANY = 80;
  private static final int LARGE = 1 << 20;
  private static final Duration SOON = Duration.ofMinutes(2);

  private final MailboxServer server;
  private final MailboxClient operator;
  private final String topic = TestTopics.fresh("stranger");

  StrangerIT(MailboxServer server, MailboxClient operator) {
    this.server = server;
    this.operator = operator;
  }

  private List<CallTarget> strangers() throws IOException {
    String forged = Tokens.forged(operator.mint("ops = send"));
    return List.of(server.target().with(null), server.target().with(forged));
  }

  @Test
  @OnlyOnWildFly("bodies hold no thread, and 64 MiB at most")
  void bodiesOfStrangersAreNotWaitedFor() throws IOException {
    List<RawConnection> open = new ArrayList<>();
    try {
      for (CallTarget stranger : strangers()) {
        for (int i = 0; i < MANY; i++) {
          RawConnection raw = stranger.connect();
          open.add(raw);
          raw.send(stranger.head("POST", "/v1/send") + RawConnection.length(LARGE) + "\r\n\r\n");
          raw.send(new byte[LARGE / 2]);
          raw.receive().expect(401);
        }
      }
      operator.send(topic, "key", new byte[LARGE / 2]).expect(200);
    } finally {
      for (RawConnection raw : open) {
        raw.close();
      }
    }
  }

  @Test
  @OnlyOnWildFly("bodies hold no thread, and 64 MiB at most")
  void onlyABodyThatWillBeReadIsAskedFor() throws IOException {
    String expect = "Expect: 100-continue\r\n";
    for (CallTarget stranger : strangers()) {
      for (String path : List.of("/v1/send", "/v1/capabilities", "/v1/unknown")) {
        try (RawConnection raw = stranger.connect()) {
          raw.send(stranger.head("POST", path) + expect + RawConnection.length(9) + "\r\n\r\n");
          raw.receive().expect(401);
        }
      }
    }
    CallTarget sender = server.target().with(operator.mint("ops = send"));
    try (RawConnection raw = sender.connect()) {
      String head = sender.head("POST", "/v1/send") + expect;
      raw.send(head + RawConnection.length(9) + "\r\n\r\n");
      raw.receive().expect(100);
      assertEquals(400, raw.send("{\"a\":\"b\"}").receive().status());
      raw.send(head + RawConnection.length(100 * LARGE) + "\r\n\r\n");
      raw.receive().expect(413);
    }
  }

  @Test
  @OnlyOnWildFly("malformed targets, cookies and cut bodies get a problem")
  void requestThatNobodyCanReadGetsAProblemAndNoLine() throws IOException {
    int logged = server.outputLines().size();
    for (String line :
        List.of(
            "CONNECT evil.example:80",
            "GET *",
            "GET healthz",
            "GET ?",
            "GET /v1/%2e%2e/metrics",
            "GET /console/../metrics",
            "GET /v1/topics/%c0%ae",
            "GET /console/%ff")) {
      assertProblem(line + " HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    }
    StringBuilder cookies = new StringBuilder("Cookie: a=b");
    for (int i = 0; i < 300; i++) {
      cookies.append("; c").append(i).append("=d");
    }
    for (String path : List.of("/healthz", "/v1/topics", "/console/session/capability")) {
      String get = "GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n";
      assertProblem(get + cookies + "\r\n\r\n");
      assertProblem(get + "Cookie: $Version=x; a=b\r\n\r\n");
    }
    assertEquals(List.of(), traces(logged));
  }

  private void assertProblem(String request) throws IOException {
    try (RawConnection raw = server.target().connect()) {
      Response response = raw.send(request).receive().expect(400);
      assertEquals("application/problem+json", response.header("content-type"), request);
    }
  }

  private List<String> traces(int since) {
    List<String> lines = server.outputLines();
    return lines.subList(since, lines.size()).stream()
        .filter(line -> line.stripLeading().startsWith("at "))
        .toList();
  }

  @Test
  void formThatCannotBeReadIsRefusedWithoutAStack() throws IOException {
    int logged = server.outputLines().size();
    String form = "a=b&".repeat(3_000);
    try (RawConnection raw = server.target().connect()) {
      String type = "Content-Type: application/x-www-form-urlencoded";
      raw.send(RawConnection.head("/console/signin", type, RawConnection.length(form.length())));
      int status = raw.send(form).receive().status();
      assertTrue(status >= 400 && status < 500, () -> "status " + status);
    }
    assertEquals(List.of(), traces(logged));
  }

  @Test
  void denialsAndFailedSignInsAreCountedInTheAudit() throws IOException {
    String topicOnly = operator.mint("topic = " + topic);
    String form = "user=" + topic + "&password=wrong";
    try (RawConnection raw = server.target().connect()) {
      String type = "Content-Type: application/x-www-form-urlencoded";
      raw.send(RawConnection.head("/console/signin", type, RawConnection.length(form.length())));
      raw.send(form).receive().expect(403);
    }
    String nonce = CapabilityId.ofBytes(Macaroon.parse(topicOnly).identifier()).nonce();
    awaitAudit("console.signin_failed", "\"console:" + topic + "\"");
    // An interval names so many; those that other tests have denied may come first.
    Deadline.in(SOON)
        .await(
            () -> deny(topicOnly).contains(nonce),
            () -> nonce + " is not in " + audit("capability.denied"));
  }

  private String deny(String capability) {
    try {
      operator.with(capability).topic(topic + "x").expect(403);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return audit("capability.denied");
  }

  private void awaitAudit(String action, String text) {
    Deadline.in(SOON)
        .await(() -> audit(action).contains(text), () -> text + " is not in " + audit(action));
  }

  private String audit(String action) {
    try {
      return operator.get("/v1/audit?limit=10000&action=" + action).expect(200).text();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
