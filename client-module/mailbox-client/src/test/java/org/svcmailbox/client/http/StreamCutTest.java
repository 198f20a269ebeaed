package org.svcmailbox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.VirtualClock;

/**
 * Streams that a script writes, byte by byte. The property {@code broken.answer.step} leaves places
 * of a cut out, other ones each day.
 */
@Timeout(120)
class StreamCutTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int MESSAGES = 2;
  private static final String OPEN = "{\"type\":\"open\",\"stream\":\"s1\",\"window\":2}\n";

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final CountDownLatch never = new CountDownLatch(1);

  StreamCutTest() throws Exception {}

  @AfterEach
  void close() {
    never.countDown();
    fixture.close();
  }

  private static String message(int n) {
    return "{\"type\":\"message\",\"n\":"
        + n
        + ",\"message\":"
        + ScriptedService.leased("orders", "m" + n, "apple " + n, Map.of())
        + "}\n";
  }

  private static String messagesAfter(long last) {
    StringBuilder lines = new StringBuilder();
    for (int n = (int) last + 1; n <= MESSAGES; n++) {
      lines.append(message(n));
    }
    return lines.toString();
  }

  private static String end(String reason) {
    return "{\"type\":\"end\",\"reason\":\"" + reason + "\"}\n";
  }

  /** Answers with these bytes, and leaves the connection as it is. */
  private static OutputStream write(HttpExchange exchange, String text) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    out.write(text.getBytes(UTF_8));
    out.flush();
    return out;
  }

  /** Answers with the first bytes of a transcript, and hangs up in the middle of the response. */
  private static ScriptedService.Answerer cut(byte[] transcript, int bytes) {
    return (exchange, request) -> {
      exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
      exchange.sendResponseHeaders(200, transcript.length + 1L);
      exchange.getResponseBody().write(transcript, 0, bytes);
      // The server of JDK 25 holds the head back until then.
      exchange.getResponseBody().flush();
      exchange.close();
    };
  }

  /** Goes on after the last message that the client says it has, as the service does. */
  private static ScriptedService.Answerer rest(AtomicLong got) {
    return (exchange, request) -> {
      JsonNode last = request.json().path("resume").path("last");
      got.set(last.asLong(got.get()));
      boolean isGivenBack = request.json().path("window").asInt() == 0;
      String messages = isGivenBack ? "" : messagesAfter(got.get());
      write(exchange, OPEN.replace("s1", "s2") + messages + end("age"));
      exchange.close();
    };
  }

  private HttpMailbox<String, String> open() {
    return fixture.open(HttpMailbox.Builder::streaming);
  }

  private static List<Message<String, String>> receive(HttpMailbox<String, String> mailbox) {
    return mailbox.receive(MESSAGES, LEASE, WAIT);
  }

  @Test
  void nothingIsLostOrDuplicatedWhereverATranscriptIsCut() {
    byte[] transcript =
        (OPEN + messagesAfter(0) + "{\"type\":\"heartbeat\",\"unsettled\":2}\n").getBytes(UTF_8);
    int step = Integer.getInteger("broken.answer.step", 1);
    int first = (int) (LocalDate.now(ZoneOffset.UTC).toEpochDay() % step);
    for (int bytes = first; bytes < transcript.length; bytes += step) {
      AtomicLong got = new AtomicLong();
      service.next(cut(transcript, bytes)).next(rest(got)).next(rest(got)).next(rest(got));
      List<String> bodies = new ArrayList<>();
      try (HttpMailbox<String, String> mailbox =
          fixture.builder().streaming().random(() -> 0).build()) {
        for (int i = 0; i < MESSAGES && bodies.size() < MESSAGES; i++) {
          receive(mailbox).forEach(message -> bodies.add(message.body()));
        }
      }
      assertEquals(List.of("apple 1", "apple 2"), bodies, "cut after " + bytes + " bytes");
      service.clear();
    }
  }

  @Test
  void anUnterminatedLineIsDiscarded() {
    String lines = OPEN + messagesAfter(0);
    service
        .next(
            (exchange, request) -> {
              write(exchange, lines.substring(0, lines.length() - 1));
              exchange.close();
            })
        .next(rest(new AtomicLong()));
    HttpMailbox<String, String> mailbox = open();
    List<Message<String, String>> first = receive(mailbox);
    assertEquals(1, first.size());
    assertEquals("apple 2", receive(mailbox).get(0).body());
    JsonNode resume = service.request(1).json().path("resume");
    assertEquals("{\"stream\":\"s1\",\"last\":1}", resume.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no json",
        "null",
        "{\"type\":\"message\",\"n\":1}",
        "{\"type\":\"message\",\"n\":1,\"message\":{}}",
        "{\"type\":\"message\",\"n\":\"one\",\"message\":null}",
        "{\"type\":\"open\"}",
        "{\"type\":\"end\"}"
      })
  void aLineThatCannotBeReadIsThrown(String line) {
    service.next((exchange, request) -> write(exchange, OPEN + line + "\n"));
    HttpMailbox<String, String> mailbox = open();
    MailboxConnectionException thrown =
        assertThrows(MailboxConnectionException.class, () -> receive(mailbox));
    assertTrue(thrown.toString().contains("cannot be read"), thrown::toString);
  }

  @Test
  void aLineThatIsTooLongIsThrown() {
    HttpMailbox<String, String> mailbox =
        fixture.open(builder -> builder.streaming().limits(changed -> changed.maxBodyBytes(1_000)));
    String most = "x".repeat(1_000 / 3 * 4 + (256 << 10) + 1);
    service.next((exchange, request) -> write(exchange, OPEN + most));
    assertThrows(MailboxConnectionException.class, () -> receive(mailbox));
  }

  @Test
  void linesOfALaterServiceAreIgnored() {
    service.next(
        (exchange, request) ->
            write(exchange, OPEN + "\n{}\n{\"type\":\"weather\",\"n\":7}\n" + message(1)));
    assertEquals("apple 1", receive(open()).get(0).body());
  }

  @Test
  void anAlteredMessageThrowsWhenItsBodyIsRead() {
    String altered =
        "{\"type\":\"message\",\"n\":1,\"message\":"
            + ScriptedService.leased("orders", "m1", "apple", Map.of()).put("payload", "AAAA")
            + "}\n";
    service.next((exchange, request) -> write(exchange, OPEN + altered));
    Message<String, String> message = receive(open()).get(0);
    assertThrows(IntegrityException.class, message::body);
  }

  @Test
  void anEndWithAProblemIsThrownAsRecvWould() {
    service.next(
        (exchange, request) ->
            write(
                exchange,
                OPEN
                    + "{\"type\":\"end\",\"reason\":\"capability\",\"problem\":{\"status\":403,"
                    + "\"code\":\"E_CAP_SCOPE\",\"detail\":\"revoked "
                    + ScriptedService.TOKEN
                    + "\"}}\n"));
    AccessDeniedException thrown = assertThrows(AccessDeniedException.class, () -> receive(open()));
    assertTrue(thrown.toString().contains("E_CAP_SCOPE"), thrown::toString);
    assertFalse(thrown.toString().contains(ScriptedService.TOKEN), thrown::toString);
  }

  @Test
  void anotherTokenIsTriedOnce() {
    service.nextProblem(401, "E_CAP_AUTH", "");
    service.next((exchange, request) -> write(exchange, OPEN + message(1)));
    AtomicLong asked = new AtomicLong();
    HttpMailbox<String, String> mailbox =
        fixture.keep(
            HttpMailbox.builder(
                    service.uri(),
                    TokenSource.supplier(() -> "token-" + asked.incrementAndGet()),
                    "orders",
                    Codecs.utf8(),
                    Codecs.utf8())
                .streaming()
                .build());
    assertEquals("apple 1", receive(mailbox).get(0).body());
    assertEquals("token-2", service.request(1).token());
  }

  /** A service that ignores the window fills the connection, and not the memory. */
  @Test
  void aServiceThatSendsTooMuchIsHeldUp() throws Exception {
    AtomicLong written = new AtomicLong();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    String body = "x".repeat(100_000);
    service.next(
        (exchange, request) -> {
          try (OutputStream out = write(exchange, OPEN)) {
            for (int n = 1; n <= 10_000; n++) {
              String line =
                  "{\"type\":\"message\",\"n\":"
                      + n
                      + ",\"message\":"
                      + ScriptedService.leased("orders", "m" + n, body, Map.of())
                      + "}\n";
              out.write(line.getBytes(UTF_8));
              written.addAndGet(line.length());
            }
          } catch (IOException e) {
            ended.complete(true);
          }
        });
    HttpMailbox<String, String> mailbox = open();
    assertFalse(receive(mailbox).isEmpty());
    assertTrue(ended.get(20, SECONDS), "nobody receives");
    assertTrue(written.get() < 32 << 20, "written: " + written);
  }

  /** The window is full, so that nobody need receive. */
  @Test
  void aStreamWithoutAHeartbeatIsCut() throws Exception {
    VirtualClock clock = new VirtualClock();
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    service.next(
        (exchange, request) -> {
          try (OutputStream out = write(exchange, OPEN + message(1) + message(2))) {
            never.await();
            out.write(' ');
          } catch (IOException e) {
            gone.complete(true);
          }
        });
    HttpMailbox<String, String> mailbox = fixture.open(builder -> builder.streaming().clock(clock));
    List<Message<String, String>> held = new ArrayList<>();
    while (held.size() < MESSAGES) {
      held.addAll(receive(mailbox));
    }
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(29));
    clock.awaitWaiters(1);
    assertEquals(1, service.requests().size());
    clock.advance(Duration.ofSeconds(2));
    JsonNode again = service.awaitRequest(1).json();
    assertEquals(2, again.path("resume").path("last").asLong());
    assertEquals(0, again.path("window").asInt(-1), "of a stream that gives back");
  }

  /** A proxy that gathers answers passes nothing on. */
  @Test
  void receivesPollWhereNothingOfStreamsArrives() {
    for (int i = 0; i < 2; i++) {
      service.next(
          (exchange, request) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.close();
          });
    }
    service.next(
        200, ScriptedService.received(ScriptedService.leased("orders", "m1", "apple", Map.of())));
    assertEquals("apple", receive(open()).get(0).body());
    assertEquals("/v1/recv", service.request(2).path());
  }
}
