package org.svcmailbox.it.contract;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.svcmailbox.capability.Capability;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.LongestLeaseException;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxNotFoundException;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.client.testing.MailboxContract;
import org.svcmailbox.client.verify.ExportedEntry;
import org.svcmailbox.client.verify.LedgerAnchor;
import org.svcmailbox.client.verify.LedgerCheck;
import org.svcmailbox.client.verify.LedgerVerifier;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.client.Tokens;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * The contract of mailboxes, and what only the mailbox over HTTP has, on the laid-out server. Keys
 * are taken for ten seconds only, so that a test can see their end. Its tests run side by side,
 * because most of them wait.
 */
@Order(1)
@ContractTest
@Execution(ExecutionMode.CONCURRENT)
class HttpMailboxIT extends MailboxContract {
  private static final Duration KEY_WINDOW = Duration.ofSeconds(10);

  /** On a busy machine a worker may see late that a lease is over. */
  private static final Duration SLACK = Duration.ofMillis(500);

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long HANDLER_MILLIS = 60_000;
  private static final HttpConnections CONNECTIONS = HttpConnections.builder().build();

  private final MailboxClient client;
  private final CallTarget target;
  private final TokenSource operator;

  HttpMailboxIT(MailboxClient client) {
    this.client = client;
    this.target = client.target();
    this.operator = TokenSource.of(requireNonNull(target.token().get()));
  }

  @Override
  protected Mailbox<String, String> open(
      String name, Codec<String> codec, MailboxResolver resolver) {
    Mailbox<String, String> mailbox = builder(name, codec, operator).resolver(resolver).build();
    // The contract extends the longest lease by as much again; by default a lease ends before.
    return made(
        mailbox,
        Fields.of("t_replay", KEY_WINDOW.toSeconds() + "s").with("retention_inflight", "2d"));
  }

  @Override
  protected Mailbox<String, String> openBounded(String name, int capacity) {
    Mailbox<String, String> mailbox =
        builder(name, Codecs.utf8(), operator).sendTimeout(Duration.ofSeconds(4)).build();
    return made(mailbox, Fields.of("retention_ready_count", capacity));
  }

  @Override
  protected void passTime(Duration duration) {
    try {
      Thread.sleep(duration.plus(SLACK).toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpMailbox.Builder<String, String> builder(
      String name, Codec<String> codec, TokenSource tokens) {
    return HttpMailbox.builder(target.server(), tokens, name, codec, codec)
        .connections(CONNECTIONS)
        .limits(changed -> changed.keyWindow(KEY_WINDOW))
        .sendTimeout(KEY_WINDOW.minusSeconds(1));
  }

  private Mailbox<String, String> made(Mailbox<String, String> mailbox, Fields settings) {
    try {
      int status = client.putTopic(mailbox.name(), settings).status();
      assertTrue(status == 200 || status == 201, "status " + status);
      return mailbox;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @OnlyOnWildFly("a client that hangs up ends its RECV (`disconnect`)")
  @Override
  protected void anInterruptedReceiveIsEmptyAndKeepsTheFlag() throws Exception {
    super.anInterruptedReceiveIsEmptyAndKeepsTheFlag();
  }

  @Test
  void whatItCanDoIsTheTable() {
    try (HttpMailbox<String, String> mailbox =
        builder("table", Codecs.utf8(), operator)
            .limits(changed -> changed.keyWindow(BackendFeatures.HTTP.keyWindow()))
            .build()) {
      assertEquals(BackendFeatures.HTTP, mailbox.features());
    }
  }

  @Test
  void aNarrowedMailboxDoesWhatItsRightsAllow() {
    String topic = TestTopics.fresh("narrowed");
    try (Mailbox<String, String> sender =
            builder(topic, Codecs.utf8(), operator).narrowTo(Operation.SEND).build();
        Mailbox<String, String> receiver =
            builder(topic, Codecs.utf8(), operator)
                .narrowTo(Operation.RECV, Operation.ACK)
                .build()) {
      sender.send("apple");
      assertDenied("operation", () -> sender.receive(1, LEASE, Duration.ZERO));
      assertDenied("operation", sender::approximateCount);
      assertDenied("operation", sender::purge);

      Message<String, String> message = receiver.receive(1, LEASE, PATIENCE).get(0);
      assertDenied("operation", () -> receiver.send("pear"));
      assertDenied("operation", () -> message.nack(Duration.ZERO));
      message.acknowledge();
    }
  }

  @Test
  void aTokenThatIsOverOrForAnotherTopicIsDenied() {
    String topic = TestTopics.fresh("denied");
    Capability whole = Capability.parse(operator.token());
    Instant past = Instant.parse("2026-01-01T00:00:00Z");
    for (Caveat caveat : List.of(Caveat.expires(past), Caveat.topic("another"))) {
      String narrowed = whole.narrow(caveat).token();
      String reason = caveat.text().startsWith("topic") ? "topic" : "expired";
      try (Mailbox<String, String> mailbox =
          builder(topic, Codecs.utf8(), TokenSource.of(narrowed)).build()) {
        assertDenied(reason, () -> mailbox.send("apple"));
        List<SendResult> results =
            mailbox.sendAll(List.of(Outgoing.of("apple"), Outgoing.of("pear")));
        results.forEach(result -> assertDenied(reason, result::orThrow));
      }
    }
  }

  private void assertDenied(String reason, Runnable call) {
    AccessDeniedException thrown = assertThrows(AccessDeniedException.class, call::run);
    assertTrue(thrown.toString().contains(reason), thrown.getMessage());
    assertFalse(thrown.toString().contains(operator.token()));
  }

  @Test
  void aForgedTokenIsDenied() {
    String forged = Tokens.forged(operator.token());
    try (Mailbox<String, String> mailbox =
        builder(TestTopics.fresh("forged"), Codecs.utf8(), TokenSource.of(forged)).build()) {
      AccessDeniedException thrown =
          assertThrows(AccessDeniedException.class, () -> mailbox.send("apple"));
      assertFalse(thrown.toString().contains(forged));
    }
  }

  @Test
  void aTopicThatWasNeverMadeIsNotFound() {
    try (Mailbox<String, String> mailbox =
        builder(TestTopics.fresh("never"), Codecs.utf8(), operator).build()) {
      assertThrows(MailboxNotFoundException.class, mailbox::approximateCount);
      assertThrows(MailboxNotFoundException.class, mailbox::purge);
    }
  }

  @Test
  void everyMessageOfABatchHasItsOwnTrace() {
    String form = "00-4bf92f3577b34da6a3ce929d0e0e473%d-00f067aa0ba902b7-01";
    try (Mailbox<String, String> mailbox =
        builder(TestTopics.fresh("traces"), Codecs.utf8(), operator).build()) {
      List<Outgoing<String, Object>> batch = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        batch.add(
            Outgoing.builder("apple " + i).group("one").traceparent(form.formatted(i)).build());
      }
      mailbox.sendAll(batch).forEach(SendResult::orThrow);
      for (int i = 0; i < 3; i++) {
        Message<String, String> message = mailbox.receive(1, LEASE, PATIENCE).get(0);
        assertEquals("apple " + i, message.body());
        assertEquals(Optional.of(form.formatted(i)), message.traceparent());
      }
    }
  }

  @Test
  void deadLettersAreTheServicesOwn() throws IOException {
    String topic = TestTopics.fresh("dead");
    client.putTopic(topic, Fields.of("max_attempts", 2)).expect(201);
    try (Mailbox<String, String> mailbox = builder(topic, Codecs.utf8(), operator).build()) {
      String id = mailbox.send("apple");
      for (int delivery = 1; delivery <= 2; delivery++) {
        mailbox.receive(1, LEASE, PATIENCE).get(0).nack(Duration.ZERO, "no basket");
      }
      assertEquals(List.of(), mailbox.receive(1, LEASE, Duration.ofMillis(200)));
      assertEquals(0, mailbox.approximateCount());
      JsonNode letter = client.get("/v1/dlq/" + topic + "/" + id).expect(200).json();
      assertEquals("no basket", letter.path("last_error").asText());
    }
  }

  @Test
  void anExtensionBeyondTheLongestLeaseSaysWhatIsLeft() throws IOException {
    String topic = TestTopics.fresh("longest");
    client.putTopic(topic, Fields.of("retention_inflight", "1h")).expect(201);
    try (Mailbox<String, String> mailbox = builder(topic, Codecs.utf8(), operator).build()) {
      mailbox.send("apple");
      Message<String, String> message = mailbox.receive(1, LEASE, PATIENCE).get(0);
      LongestLeaseException refused =
          assertThrows(
              LongestLeaseException.class,
              () -> message.extendVisibility(Duration.ofHours(1).plusMinutes(1)));
      message.extendVisibility(refused.left());
      message.acknowledge();
    }
  }

  /** Its loop would allow it more time than the topic allows a lease. */
  @Test
  void aHandlerIsInterruptedBeforeItsLeaseCanBeNoLonger() throws Exception {
    String topic = TestTopics.fresh("outlasted");
    client
        .putTopic(
            topic,
            Fields.of("default_visibility", "12s")
                .with("retention_inflight", "20s")
                .with("max_attempts", 1))
        .expect(201);
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    try (Mailbox<String, String> orders = builder(topic, Codecs.utf8(), operator).build();
        MainLoop<String, String> loop =
            MainLoop.<String, String>handling(
                    orders,
                    message -> {
                      try {
                        Thread.sleep(message.body().equals("long") ? HANDLER_MILLIS : 0);
                        ends.add("done");
                        return null;
                      } catch (InterruptedException e) {
                        ends.add("interrupted");
                        throw e;
                      }
                    })
                .visibility(Duration.ofSeconds(12))
                .maxExecution(Duration.ofHours(1))
                .start()) {
      String id = orders.send("long");
      assertEquals("interrupted", ends.poll(HANDLER_MILLIS, TimeUnit.MILLISECONDS));
      AtomicReference<String> error = new AtomicReference<>();
      Deadline.in(PATIENCE)
          .await(
              () -> {
                MailboxAnswer letter = client.get("/v1/dlq/" + topic + "/" + id);
                error.set(
                    letter.status() == 200 ? letter.json().path("last_error").asText() : null);
                return error.get() != null;
              },
              () -> "the dead letter " + id);
      assertEquals("the handler took longer than its lease can be extended", error.get());

      orders.send("short");
      assertEquals("done", ends.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      assertTrue(loop.isRunning());
    }
  }

  @Test
  void theLedgerIsVerifiedWithoutTheService() throws IOException {
    String topic = "ledger-" + UUID.randomUUID();
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    try (Mailbox<String, String> mailbox = builder(topic, Codecs.utf8(), operator).build()) {
      for (int i = 0; i < 5; i++) {
        mailbox.send("apple " + i);
      }
    }
    List<ExportedEntry> entries = new ArrayList<>();
    JsonNode ledger =
        client.get("/v1/topics/" + topic + "/ledger?shard=0&from=1&limit=100").expect(200).json();
    for (JsonNode entry : ledger.path("entries")) {
      entries.add(
          new ExportedEntry(
              entry.path("seq").asLong(),
              entry.path("msg_id").asText(),
              entry.path("hash_chain").asText(),
              entry.path("link").asText()));
    }
    LedgerAnchor last = new LedgerAnchor(5, entries.get(4).link());
    assertEquals(new LedgerCheck.Intact(1, 5, true), LedgerVerifier.check(entries, List.of(last)));
  }
}
