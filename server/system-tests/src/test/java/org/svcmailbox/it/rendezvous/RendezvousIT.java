package org.svcmailbox.it.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Framings;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.BreakingProxy;
import org.svcmailbox.test.net.BreakingProxy.Fault;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;

/** The rendezvous door of a running server. */
@OpenDoor
@ResourceLock(OpenDoor.WAITERS)
class RendezvousIT {
  private static final String BEARER = "Authorization: Bearer " + OpenDoor.TOKEN;

  private static final int LARGE = 1 << 20;

  private MailboxServer server;
  private DoorClient door;

  @BeforeEach
  void open(MailboxServer shared) {
    server = shared;
    door = DoorClient.of(shared, BEARER);
  }

  @Test
  void messagesComeOutOnceAndInTheirOrder() throws IOException {
    String mailbox = DoorClient.mailbox("order");
    for (String body : List.of("one", "two", "three")) {
      door.post(mailbox, body).expect(202);
    }
    List<Response> taken = List.of(door.get(mailbox), door.get(mailbox), door.get(mailbox));
    assertEquals(List.of("one", "two", "three"), taken.stream().map(Response::body).toList());
    assertEquals(
        List.of("2", "1", "0"), taken.stream().map(r -> r.header("x-queue-length")).toList());
    long first = sequence(taken.get(0));
    assertEquals(
        List.of(first, first + 1, first + 2), taken.stream().map(RendezvousIT::sequence).toList());
    door.get(mailbox).expect(204);
  }

  private static long sequence(Response response) {
    return Long.parseLong(response.header("x-message-sequence"));
  }

  /** The faults of a request, in the order of the checks. */
  private enum Flaw {
    URI(414),
    RECIPIENT(404),
    METHOD(405),
    BLOCKED(403),
    ORIGIN(403),
    RATE(429),
    NO_TOKEN(401),
    TOKEN(403),
    QUERY(400),
    BODY(413),
    FULL(507);

    private final int status;

    Flaw(int status) {
      this.status = status;
    }
  }

  @Test
  void theEarlierFaultDecides() throws IOException {
    String full = DoorClient.mailbox("full");
    for (int i = 0; i < 20; i++) {
      door.post(full, "x").expect(202);
    }
    List<String> wrong = new ArrayList<>();
    for (Flaw first : Flaw.values()) {
      for (Flaw second : Flaw.values()) {
        if (first.compareTo(second) <= 0 && !isImpossible(first, second)) {
          Set<Flaw> both = EnumSet.of(first, second);
          if (first == Flaw.RATE) {
            awaitRefusal(both, full);
          } else if (send(both, full) != first.status) {
            wrong.add(first + " with " + second);
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** Each request uses up one of sixty a minute; one more is allowed each second. */
  private void awaitRefusal(Set<Flaw> flaws, String full) {
    Deadline.in(Duration.ofSeconds(20))
        .await(() -> send(flaws, full) == Flaw.RATE.status, () -> "the rate limit for " + flaws);
  }

  /** One request has one address and one token. */
  private static boolean isImpossible(Flaw first, Flaw second) {
    return (first == Flaw.BLOCKED && second == Flaw.RATE)
        || (first == Flaw.NO_TOKEN && second == Flaw.TOKEN);
  }

  private int send(Set<Flaw> faults, String full) throws IOException {
    String address =
        faults.contains(Flaw.BLOCKED)
            ? "192.0.2.66"
            : faults.contains(Flaw.RATE) ? "192.0.2.77" : "127.0.0.1";
    List<String> headers = new ArrayList<>(List.of("X-Forwarded-For: " + address));
    if (faults.contains(Flaw.TOKEN)) {
      headers.add("Authorization: Bearer another-token-of-nobody");
    } else if (!faults.contains(Flaw.NO_TOKEN)) {
      headers.add(BEARER);
    }
    if (faults.contains(Flaw.ORIGIN)) {
      headers.add("Origin: https://foreign.example");
    }
    String path =
        (faults.contains(Flaw.FULL) ? full : DoorClient.mailbox("checks"))
            + (faults.contains(Flaw.RECIPIENT) ? "0" : "")
            + (faults.contains(Flaw.QUERY) ? "?wait_ms=1" : "")
            + (faults.contains(Flaw.URI) ? "?" + "x".repeat(1_024) : "");
    DoorClient client = DoorClient.of(server, headers.toArray(String[]::new));
    String method = faults.contains(Flaw.METHOD) ? "DELETE" : "POST";
    try (RawConnection connection = client.connect()) {
      String request = client.request(method, path, "");
      // The head alone: the answer does not wait for a body that nobody wants.
      return connection
          .send(
              faults.contains(Flaw.BODY)
                  ? request.replace(RawConnection.length(0), RawConnection.length(LARGE + 1))
                  : request)
          .receive()
          .status();
    }
  }

  @Test
  void ambiguousRequestsAreRefused() throws IOException {
    Framings.assertRefused(door::connect);
  }

  @Test
  void aPageOfAListedOriginMayCall() throws IOException {
    DoorClient page = door.with("Origin: https://app.example", "Sec-Fetch-Mode: cors");
    Response preflight = page.call("OPTIONS", DoorClient.mailbox("page"), "").expect(204);
    assertEquals("https://app.example", preflight.header("access-control-allow-origin"));
    assertEquals("Authorization, Content-Type", preflight.header("access-control-allow-headers"));
    page.post(DoorClient.mailbox("page"), "x").expect(202);
    assertEquals("Origin", page.get(DoorClient.mailbox("page")).expect(200).header("vary"));
  }

  @Test
  void aWaitEndsWhenItIsOverAndNotBefore() throws IOException {
    long began = System.nanoTime();
    try (RawConnection waiting = door.waiting(DoorClient.mailbox("patience"), 700)) {
      waiting.receive().expect(204);
    }
    long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    assertTrue(millis >= 700 && millis < 5_000, () -> "after " + millis + " ms");
  }

  @Test
  void waitersAreServedInTheirOrder() throws IOException {
    String mailbox = DoorClient.mailbox("waiters");
    List<RawConnection> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      double before = waiting();
      waiters.add(door.waiting(mailbox, 30_000));
      Deadline.in(Duration.ofSeconds(5)).await(() -> waiting() > before, () -> "a waiter");
    }
    for (int i = 0; i < 3; i++) {
      door.post(mailbox, "message " + i).expect(202);
      assertEquals("message " + i, waiters.get(i).receive().expect(200).body());
      waiters.get(i).close();
    }
  }

  private double waiting() throws IOException {
    return door.metric("waiting_requests");
  }

  @Test
  void aWaiterThatHangsUpGetsNothing() throws IOException {
    String mailbox = DoorClient.mailbox("hang-up");
    double before = waiting();
    RawConnection gone = door.waiting(mailbox, 30_000);
    Deadline.in(Duration.ofSeconds(5)).await(() -> waiting() == before + 1, () -> "the waiter");
    gone.hangUp();
    Deadline.in(Duration.ofSeconds(5)).await(() -> waiting() == before, () -> "its end");
    door.post(mailbox, "for another").expect(202);
    assertEquals("for another", door.get(mailbox).expect(200).body());
  }

  @Test
  void manySendersAndReceiversLoseAndRepeatNothing() throws Exception {
    String mailbox = DoorClient.mailbox("many");
    Set<String> taken = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int sender = 0; sender < 4; sender++) {
      String name = "sender " + sender + ", message ";
      threads.add(new Thread(() -> send(mailbox, name, 50)));
      threads.add(new Thread(() -> receive(mailbox, taken, 50)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(Duration.ofSeconds(60).toMillis());
    }
    assertEquals(200, taken.size());
    door.get(mailbox).expect(204);
  }

  private void send(String mailbox, String name, int count) {
    Deadline deadline = Deadline.in(Duration.ofSeconds(60));
    for (int i = 0; i < count; i++) {
      String body = name + i;
      // Full now and then: the receivers are as many.
      deadline.await(() -> door.post(mailbox, body).status() == 202, () -> body);
    }
  }

  private void receive(String mailbox, Set<String> taken, int count) {
    for (int i = 0; i < count; i++) {
      try (RawConnection waiting = door.waiting(mailbox, 30_000)) {
        assertTrue(taken.add(waiting.receive(Duration.ofSeconds(40)).expect(200).body()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The message is larger than all buffers between: the kernel cannot have taken its last byte. */
  @Test
  void aMessageReturnsToItsPlaceWhereverItsResponseBreaks() throws IOException {
    String mailbox = DoorClient.mailbox("broken");
    String first = RawConnection.body(LARGE);
    door.post(mailbox, first).expect(202);
    door.post(mailbox, "second").expect(202);
    List<Integer> places =
        Stream.concat(IntStream.range(0, 400).boxed(), Stream.of(10_000, 100_000)).toList();
    for (int bytes : places) {
      try (RawConnection client = RawConnection.narrow(door.address())) {
        client.send(door.request("GET", mailbox + "?wait_ms=20000", ""));
        client.bytes(Math.max(bytes, 1));
        client.reset();
      }
    }
    Response whole = await(mailbox);
    assertEquals(first, whole.body());
    Response next = await(mailbox);
    assertEquals("second", next.body());
    assertEquals(sequence(whole) + 1, sequence(next));
    assertTrue(door.metric("messages_returned") >= 400);
  }

  private Response await(String mailbox) throws IOException {
    try (RawConnection waiting = door.waiting(mailbox, 20_000)) {
      return waiting.receive(Duration.ofSeconds(30)).expect(200);
    }
  }

  /** Behind a proxy that takes everything, what was written is gone, and the order holds. */
  @Test
  void whatBreaksBehindAProxyIsNeitherRepeatedNorReordered() throws IOException {
    String mailbox = DoorClient.mailbox("proxy");
    try (BreakingProxy proxy = new BreakingProxy(server.port(OpenDoor.PORT))) {
      DoorClient behind = DoorClient.at(proxy.port(), BEARER);
      for (int bytes = 0; bytes < 300; bytes += 5) {
        door.post(mailbox, "message " + bytes).expect(202);
        proxy.breakNext(bytes % 2 == 0 ? Fault.CUT : Fault.RESET, bytes);
        String seen = taken(behind, mailbox);
        assertTrue(seen.isEmpty() || seen.endsWith("message " + bytes), seen);
        proxy.hasBroken();
      }
      door.post(mailbox, "last").expect(202);
      assertEquals("last", door.get(mailbox).expect(200).body());
    }
  }

  private static String taken(DoorClient client, String mailbox) {
    try {
      return client.get(mailbox).body();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /**
   * Cut after six seconds each, while others are served; at once, so that they take six together.
   */
  @Test
  void slowClientsAreCutAndOthersAreServed() throws IOException {
    String mailbox = DoorClient.mailbox("slow");
    door.post(mailbox, RawConnection.body(LARGE)).expect(202);
    try (RawConnection stalled = RawConnection.narrow(door.address());
        RawConnection body = door.connect();
        RawConnection head = door.connect()) {
      stalled.send(door.request("GET", mailbox, ""));
      stalled.bytes(1);
      body.send(
          "POST "
              + mailbox
              + " HTTP/1.1\r\nHost: door\r\n"
              + BEARER
              + "\r\nContent-Length: 9\r\n\r\nx");
      head.send("POST " + mailbox + " HTTP/1.1\r\nHost: do");
      for (int i = 0; i < 20; i++) {
        door.post(DoorClient.mailbox("beside the slow"), "x").expect(202);
        door.get(DoorClient.mailbox("beside the slow")).expect(200);
      }
      assertTrue(body.isEnded(), "the body");
      assertTrue(head.isEnded(), "the head");
      assertEquals(LARGE, await(mailbox).body().length());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "Content-Length: +5\r\n\r\nhello",
        "Content-Length: -5\r\n\r\nhello",
        "Content-Length: 5, 5\r\n\r\nhello",
        "Content-Length: 0x5\r\n\r\nhello",
        "Content-Length: 99999999999999999999\r\n\r\nhello",
        "Transfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Content-Length : 5\r\n\r\nhello"
      })
  void aRequestOfDoubtfulLengthSmugglesNothing(String rest) throws IOException {
    String smuggled = DoorClient.mailbox("smuggled");
    String inner = door.request("POST", smuggled, "smuggled");
    try (RawConnection client = door.connect()) {
      client.send(
          "POST "
              + DoorClient.mailbox("doubtful")
              + " HTTP/1.1\r\nHost: door\r\n"
              + BEARER
              + "\r\n"
              + rest
              + inner);
      client.rest();
    } catch (IOException e) {
      // Reset: refused as well.
    }
    door.get(smuggled).expect(204);
  }

  @Test
  void healthAndMetricsAreOnThisPortToo() throws IOException {
    Response health = door.get("/health").expect(200);
    assertTrue(
        health
            .body()
            .matches("\\{\"status\":\"healthy\",\"uptime_seconds\":\\d+,\"version\":\".+\"}"),
        health::body);
    String metrics = door.get("/metrics").expect(200).body();
    for (String name :
        List.of(
            "active_mailboxes",
            "total_messages",
            "messages_posted",
            "messages_delivered",
            "messages_evicted",
            "messages_returned",
            "messages_lost",
            "rate_limit_hits",
            "request_latency",
            "rendezvous_wakeup_seconds")) {
      assertTrue(metrics.contains(name), () -> name + " is not in\n" + metrics);
    }
    door.with("X-Forwarded-For: 192.0.2.1").get("/metrics").expect(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/v1/send", "/healthz", "/readyz", "/console/", "/openapi"})
  void nothingElseIsOnThisPort(String path) throws IOException {
    assertEquals("application/problem+json", door.get(path).expect(404).header("content-type"));
  }

  @Test
  void theMainPortHasNoMailboxes() throws IOException {
    int status =
        DoorClient.at(server.uri().getPort(), BEARER).get(DoorClient.mailbox("x")).status();
    assertEquals(401, status);
  }
}
