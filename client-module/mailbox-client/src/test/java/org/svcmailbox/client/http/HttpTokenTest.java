package org.svcmailbox.client.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.codec.Codecs;

/** Where tokens come from, when another is asked for, and that none is ever shown. */
@Timeout(60)
class HttpTokenTest {
  private static final String CAPABILITY =
      "AgEHbWFpbGJveAInbWIxOmsxOjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmAAAGIKkMjVF3ydLilWvi7u2p"
          + "8tiqCMOWLrE-sVoLO8LYQFju";

  private static final SimpleFormatter FORMAT = new SimpleFormatter();

  private final HttpFixture fixture = new HttpFixture();
  private final ScriptedService service = fixture.service;
  private final CountDownLatch never = new CountDownLatch(1);

  HttpTokenTest() throws Exception {}

  @AfterEach
  void close() {
    never.countDown();
    fixture.close();
  }

  private HttpMailbox<String, String> open(TokenSource tokens) {
    return fixture.keep(builder(tokens).build());
  }

  private HttpMailbox.Builder<String, String> builder(TokenSource tokens) {
    return HttpMailbox.builder(
            service.uri(), tokens, HttpFixture.TOPIC, Codecs.utf8(), Codecs.utf8())
        .random(() -> 0);
  }

  private ScriptedService refuseOne() {
    return service.nextProblem(401, "E_CAP_AUTH", ",\"reason\":\"expired\"");
  }

  private static TokenSource supplied(String... tokens) {
    Queue<String> left = new ArrayDeque<>(List.of(tokens));
    return TokenSource.supplier(left::remove);
  }

  private List<String> presented() {
    return service.requests().stream().map(ScriptedService.Request::token).toList();
  }

  @Test
  void aSupplierIsAskedOnceAndAgainAfterA401() {
    HttpMailbox<String, String> mailbox = open(supplied("first", "second"));
    mailbox.send("apple");
    mailbox.send("pear");
    refuseOne();
    mailbox.send("plum");
    mailbox.send("quince");
    assertEquals(List.of("first", "first", "first", "second", "second"), presented());
  }

  @Test
  void aTokenIsRefreshedOnceForEachCall() {
    refuseOne();
    refuseOne();
    HttpMailbox<String, String> mailbox = open(supplied("first", "second", "third"));
    AccessDeniedException thrown =
        assertThrows(AccessDeniedException.class, () -> mailbox.send("apple"));
    assertTrue(thrown.toString().contains("expired"), thrown.getMessage());
    assertEquals(List.of("first", "second"), presented());
  }

  @Test
  void keysThatNobodyChoseBeginAsTheCapabilityWants() {
    Capability plain = Capability.parse(CAPABILITY);
    HttpMailbox<String, String> mailbox =
        open(
            supplied(
                plain.narrow(Caveat.keyPrefix("shop:")).token(),
                plain.narrow(Caveat.keyPrefix("shop2:")).token()));
    mailbox.send("apple");
    mailbox.send(Outgoing.builder("pear").key("mine").build());
    refuseOne();
    mailbox.send("plum");
    mailbox.send("quince");
    assertEquals(
        List.of("shop:", "mine", "shop:", "shop:", "shop2:"),
        service.requests().stream()
            .map(
                request -> request.json().path("idem_key").asText().replaceAll("[0-9a-f]{32}$", ""))
            .toList());
  }

  @Test
  void aConstantThatIsRefusedIsNotRepeated() {
    refuseOne();
    assertThrows(AccessDeniedException.class, () -> open(TokenSource.of("only")).send("apple"));
    assertEquals(List.of("only"), presented());
  }

  @Test
  void a403IsNotRefreshed() {
    service.nextProblem(403, "E_CAP_SCOPE", ",\"reason\":\"operation\"");
    HttpMailbox<String, String> mailbox = open(supplied("first", "second"));
    assertThrows(AccessDeniedException.class, () -> mailbox.send("apple"));
    assertEquals(List.of("first"), presented());
  }

  @Test
  void receivesRefreshToo() {
    refuseOne();
    open(supplied("first", "second")).receive(1, Duration.ofSeconds(1), Duration.ZERO);
    assertEquals(List.of("first", "second"), presented());
  }

  @Test
  void aFileIsReadAgainWhenItChanges(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("token");
    Files.writeString(file, "  first\n");
    HttpMailbox<String, String> mailbox = open(TokenSource.file(file));
    mailbox.send("apple");
    Files.writeString(file, "second\n");
    mailbox.send("apple");
    assertEquals(List.of("first", "second"), presented());
  }

  /** A file system whose times are coarse does not show the change. */
  @Test
  void aFileIsReadAgainWhenItsTokenIsRefused(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("token");
    FileTime time = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
    Files.writeString(file, "token-1");
    Files.setLastModifiedTime(file, time);
    HttpMailbox<String, String> mailbox = open(TokenSource.file(file));
    mailbox.send("apple");
    Files.writeString(file, "token-2");
    Files.setLastModifiedTime(file, time);
    refuseOne();
    mailbox.send("apple");
    assertEquals(List.of("token-1", "token-1", "token-2"), presented());
  }

  @Test
  void withoutAFileNothingIsCalled(@TempDir Path directory) {
    HttpMailbox<String, String> mailbox = open(TokenSource.file(directory.resolve("none")));
    AccessDeniedException thrown =
        assertThrows(AccessDeniedException.class, () -> mailbox.send("apple"));
    assertTrue(thrown.toString().contains("the token cannot be read from "));
    assertEquals(0, service.requests().size());
  }

  @Test
  void aMailboxCanPresentOnlyWhatItNeeds() {
    HttpMailbox<String, String> mailbox =
        fixture.keep(
            builder(TokenSource.of(CAPABILITY)).narrowTo(Operation.SEND, Operation.PEEK).build());
    mailbox.send("apple");
    assertEquals(
        List.of("topic = orders", "ops = send,peek"),
        Capability.parse(presented().get(0)).caveats());
  }

  @Test
  void aRefreshedTokenIsNarrowedToo() {
    String other = Capability.parse(CAPABILITY).narrow(Caveat.parse("rate = 5/s")).token();
    HttpMailbox<String, String> mailbox =
        fixture.keep(builder(supplied(CAPABILITY, other)).narrowTo(Operation.SEND).build());
    refuseOne();
    mailbox.send("apple");
    assertEquals(
        List.of("rate = 5/s", "topic = orders", "ops = send"),
        Capability.parse(presented().get(1)).caveats());
  }

  @Test
  void whatIsNoCapabilityCannotBeNarrowed() {
    HttpMailbox<String, String> mailbox = fixture.open(builder -> builder.narrowTo(Operation.SEND));
    AccessDeniedException thrown =
        assertThrows(AccessDeniedException.class, () -> mailbox.send("apple"));
    assertNotShown(ScriptedService.TOKEN, thrown);
    assertEquals(0, service.requests().size());
  }

  @Test
  void aMalformedTokenIsNotShown() {
    for (String malformed :
        List.of("", "two words", "line\nbreak", "gr\u00fcn", "x".repeat(9_000))) {
      assertNotShown(
          malformed, assertThrows(IllegalArgumentException.class, () -> TokenSource.of(malformed)));
      assertNotShown(
          malformed,
          assertThrows(AccessDeniedException.class, () -> open(supplied(malformed)).send("apple")));
    }
    assertEquals(0, service.requests().size());
  }

  /** The token stays unseen whatever fails and is logged, also if the answer repeats it. */
  @Test
  void theTokenIsNeverShown() {
    String token = ScriptedService.TOKEN;
    String echo = ",\"detail\":\"Bearer " + token + "\",\"reason\":\"" + token + "\"";
    List<String> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("");
    Level before = logger.getLevel();
    Handler handler = collecting(logged);
    logger.addHandler(handler);
    logger.setLevel(Level.ALL);
    try {
      HttpMailbox<String, String> mailbox = fixture.open();
      for (int status : new int[] {400, 401, 403, 404, 409, 413}) {
        service.nextProblem(503, "E_UNAVAILABLE", echo).nextProblem(status, "E", echo);
        assertNotShown(
            token, assertThrows(RuntimeException.class, () -> mailbox.send("apple " + status)));
      }
      service.next(
          200,
          "{\"results\":[{\"error\":{\"status\":409,\"code\":\"E\""
              + echo
              + "}},"
              + "{\"error\":{\"status\":409,\"code\":\"E\""
              + echo
              + "}}]}");
      mailbox
          .sendAll(List.of(Outgoing.of("a"), Outgoing.of("b")))
          .forEach(
              result ->
                  assertNotShown(token, assertThrows(RuntimeException.class, result::orThrow)));
      service.next(service.lost()).next((exchange, request) -> never.await());
      HttpMailbox<String, String> hurried =
          fixture.open(builder -> builder.callTimeout(Duration.ofMillis(50)));
      for (HttpMailbox<String, String> receiver : List.of(mailbox, hurried)) {
        assertNotShown(
            token,
            assertThrows(
                MailboxConnectionException.class,
                () -> receiver.receive(1, Duration.ofMinutes(1), Duration.ZERO)));
      }
      assertFalse(logged.isEmpty());
      logged.forEach(line -> assertFalse(line.contains(token), line));
      assertFalse(TokenSource.of(token).toString().contains(token));
      assertFalse(supplied(token).toString().contains(token));
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(before);
    }
  }

  private static Handler collecting(List<String> logged) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        logged.add(FORMAT.format(line));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private static void assertNotShown(String token, Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    assertFalse(!token.isEmpty() && trace.toString().contains(token), trace::toString);
  }
}
