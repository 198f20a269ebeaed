package org.svcmailbox.it.drill;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.history.HistoryChecker;
import org.svcmailbox.test.history.HistoryRecorder;
import org.svcmailbox.test.history.TopicEnd;

/**
 * Capabilities are revoked and root keys rotated while clients send and receive with them. The old
 * ones only settle messages in flight, the clients go on with new ones, and no message is lost or
 * left behind. {@code drill.seed} repeats the clients' choices.
 */
@Tag("nightly")
class RevocationDrillIT {
  private static final int ROUNDS = 6;
  private static final Duration TTL = Duration.ofSeconds(5);
  private static final Duration BETWEEN = Duration.ofSeconds(1);
  private static final String TOPIC = "in-flight";
  private static final String CLIENTS = "ops = send,recv,ack,nack,extend";

  private final long seed = Long.getLong("drill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final MailboxServer server =
      MailboxServer.start("revocation", Map.of("MAILBOX_CAP_CACHE_TTL", TTL.toSeconds() + "s"));
  private volatile String operators = requireNonNull(server.target().token().get());
  private volatile String clients = "";
  private final MailboxClient operator =
      new MailboxClient(new CallTarget(server.uri(), () -> operators));
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final RecordedClient client =
      new RecordedClient(new MailboxClient(new CallTarget(server.uri(), () -> clients)), recorder);
  private final DrillLoad load = new DrillLoad(client, random, this::label);
  private String keyId = "";

  @AfterEach
  void end() throws InterruptedException {
    load.stop();
    server.close();
  }

  @Test
  void revokingUnderLoadLosesAndStrandsNothing(TestReporter reporter) throws Exception {
    renewClients();
    load.start(operator);
    List<Long> millis = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      load.work(BETWEEN);
      millis.add(revokeUnderTheirHands(round).toMillis());
    }
    load.work(BETWEEN);
    List<TopicEnd> ends = load.drain(operator);
    reporter.publishEntry(
        "revocations",
        String.format(
            "denied after %s ms; %d calls of the load denied, %d SENDs accepted",
            millis, client.denied(), client.accepted()));

    assertTrue(client.denied() > 0, "the load never met a revocation");
    assertEquals(List.of(), client.surprises(), label());
    assertEquals(List.of(), client.altered(), label());
    HistoryChecker checker = new HistoryChecker(Duration.ofHours(1), 0);
    assertEquals(List.of(), checker.check(recorder.history(), ends), label());
  }

  /** Answers how long it took until the old one was denied. */
  private Duration revokeUnderTheirHands(int round) throws IOException {
    MailboxClient old = operator.with(clients);
    List<Message> held = takeTwo(old, "round-" + round);

    long before = System.nanoTime();
    if (round % 2 == 0) {
      revoke("capability", clients);
    } else {
      replaceKey();
    }
    Deadline.in(TTL)
        .await(
            () -> old.send(TOPIC, "late-" + round, new byte[1]).status() == 401,
            () -> "a denial within the ttl; " + label());
    Duration elapsed = Duration.ofNanos(System.nanoTime() - before);

    assertEquals("revoked", old.recv(TOPIC).expect(401).reason());
    MailboxAnswer extended = old.extend(held.get(0), Duration.ofSeconds(60)).expect(401);
    assertEquals("revoked", extended.reason());
    old.ack(held.get(0)).expect(200);
    old.nack(held.get(1), Fields.of("delay_ms", 0)).expect(200);
    renewClients();
    receiveAgain(held.get(1));
    return elapsed;
  }

  /** Two messages in flight, sent and received with the capability that is about to go. */
  private static List<Message> takeTwo(MailboxClient old, String key) throws IOException {
    old.send(TOPIC, key + "-a", new byte[10]).expect(200);
    old.send(TOPIC, key + "-b", new byte[10]).expect(200);
    return old.recvAll(waiting(), 2);
  }

  /** The new one receives the messages that the old one was refused. */
  private void receiveAgain(Message refused) throws IOException {
    MailboxClient fresh = operator.with(clients);
    List<Message> back = fresh.recvAll(waiting(), 1);
    // A SEND that came in before the revocation may be there too.
    while (!back.get(0).msgId().equals(refused.msgId())) {
      fresh.ack(back.get(0)).expect(200);
      back = fresh.recvAll(waiting(), 1);
    }
    fresh.ack(back.get(0)).expect(200);
  }

  private static Fields waiting() {
    return Fields.of("topic", TOPIC).with("wait_ms", 5_000).with("visibility_ms", 60_000);
  }

  private void renewClients() throws IOException {
    JsonNode minted = minted(CLIENTS);
    keyId = minted.path("key_id").asText();
    clients = minted.path("capability").asText();
  }

  /** As an operator does whose root key leaked: rotate, a new capability for himself, revoke. */
  private void replaceKey() throws IOException {
    operator.post("/v1/capabilities/rotate", Fields.NONE).expect(200);
    operators = minted().path("capability").asText();
    revoke("key_id", keyId);
  }

  private JsonNode minted(String... caveats) throws IOException {
    Fields request = Fields.of("caveats", List.of(caveats)).with("expires_in", "1h");
    return operator.post("/v1/capabilities", request).expect(201).json();
  }

  private void revoke(String field, String value) throws IOException {
    operator.post("/v1/capabilities/revoke", Fields.of(field, value)).expect(200);
  }

  private String label() {
    return "drill.seed=" + seed;
  }
}
