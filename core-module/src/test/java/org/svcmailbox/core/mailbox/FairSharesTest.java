package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;

/** One caller takes all that it gets of a bound; the others go on. */
class FairSharesTest {
  private static final Duration LONG = Duration.ofHours(12);
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final SampleCallers people = new SampleCallers();
  private final MailboxRig rig =
      new MailboxRig(
          1,
          Map.of(
              "mailbox.ready_shards", "1",
              "mailbox.global_inflight", "40",
              "mailbox.max_waiting", "8",
              "mailbox.fair_share", "75"));
  private final Caller greedy = people.caller(1);
  private final Caller quiet = people.caller(2);

  private void send(String topic, int count) {
    for (int i = 0; i < count; i++) {
      rig.send(topic, "k" + i, "x");
    }
  }

  private RecvOutcome recv(Caller caller, String topic) {
    rig.caller = caller;
    CompletableFuture<RecvOutcome> outcome =
        rig.recv(topic, 100, LONG, Duration.ZERO).outcome().toCompletableFuture();
    rig.run();
    return outcome.join();
  }

  private List<LeasedMessage> leased(Caller caller, String topic) {
    return assertInstanceOf(Delivered.class, recv(caller, topic)).messages();
  }

  private static void assertShareUsedUp(RecvOutcome outcome, String of) {
    Refusal refusal = assertInstanceOf(Refusal.class, outcome);
    assertEquals("global_inflight", refusal.reason());
    assertTrue(refusal.detail().contains(of + " has its share"), refusal::detail);
  }

  @Test
  void aConsumerThatHangsLeavesLeasesForTheOthers() {
    send("orders", 50);
    send("letters", 5);
    assertEquals(30, leased(greedy, "orders").size());
    assertShareUsedUp(recv(greedy, "orders"), "capability");
    assertEquals(5, leased(quiet, "letters").size());
  }

  @Test
  void oneCapabilityHasItsShareOfAllTopicsTogether() {
    send("orders", 20);
    send("letters", 20);
    send("refunds", 5);
    assertEquals(20, leased(greedy, "orders").size());
    assertEquals(10, leased(greedy, "letters").size());
    assertShareUsedUp(recv(greedy, "letters"), "capability");
    assertEquals(5, leased(quiet, "refunds").size());
  }

  @Test
  void oneTopicHasItsShareOfAllCapabilitiesTogether() {
    send("orders", 50);
    send("letters", 5);
    assertEquals(30, leased(greedy, "orders").size());
    assertShareUsedUp(recv(people.caller(3), "orders"), "topic");
    assertEquals(5, leased(quiet, "letters").size());
  }

  @Test
  void whatIsAcknowledgedIsFreeAgain() {
    send("orders", 50);
    List<LeasedMessage> held = leased(greedy, "orders");
    held.forEach(one -> rig.ack(one.message().envelope().msgId(), one.receipt()));
    rig.run();
    assertEquals(20, leased(greedy, "orders").size());
    assertEquals(0, rig.mailbox().limits().inflightLimits().holders());
  }

  @Test
  void callsThatWaitLeaveRoomForTheOthers() {
    send("letters", 0);
    rig.caller = greedy;
    List<CompletableFuture<RecvOutcome>> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      waiting.add(rig.recv("orders", 1, LONG, WAIT).outcome().toCompletableFuture());
    }
    assertEquals(6, waiting.stream().filter(one -> !one.isDone()).count());
    Refusal refusal = assertInstanceOf(Refusal.class, waiting.get(7).join());
    assertEquals("max_waiting", refusal.reason());
    rig.caller = quiet;
    CompletableFuture<RecvOutcome> other =
        rig.recv("letters", 1, LONG, WAIT).outcome().toCompletableFuture();
    assertTrue(!other.isDone());
  }

  private SendOutcome send(Caller caller, String topic, int number) {
    rig.caller = caller;
    return rig.send(topic, "k" + number, "x");
  }

  @Test
  void aSenderWhoFillsTheTableOfKeysLeavesRoomForTheOthers() {
    rig.crashInto(Map.of("mailbox.dedup_capacity", "40", "mailbox.fair_share", "75"));
    for (int i = 0; i < 30; i++) {
      assertInstanceOf(SendOutcome.Accepted.class, send(greedy, "orders", i));
    }
    Refusal refusal = assertInstanceOf(Refusal.class, send(greedy, "orders", 30));
    assertEquals("dedup_capacity", refusal.reason());
    assertTrue(refusal.detail().contains("topic has its share"), refusal::detail);
    refusal = assertInstanceOf(Refusal.class, send(greedy, "parcels", 30));
    assertTrue(refusal.detail().contains("capability has its share"), refusal::detail);
    assertInstanceOf(SendOutcome.Accepted.class, send(quiet, "letters", 0));
    SendOutcome.Accepted again =
        assertInstanceOf(SendOutcome.Accepted.class, send(greedy, "orders", 0));
    assertTrue(again.duplicate());
    rig.pass(Duration.ofSeconds(400));
    assertEquals(31, rig.mailbox().purgeKeys());
    assertInstanceOf(SendOutcome.Accepted.class, send(greedy, "orders", 31));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 1"})
  void theKeysOfOneBatchCountBeforeTheyAreTaken(int senders, int topics) {
    rig.crashInto(
        Map.of(
            "mailbox.ready_shards", "1",
            "mailbox.dedup_capacity", "40",
            "mailbox.fair_share", "75"));
    List<CompletableFuture<SendOutcome>> batch = new ArrayList<>();
    for (int i = 0; i < 35; i++) {
      rig.caller = people.caller(1 + i % senders);
      batch.add(rig.submit("orders" + i % topics, "k" + i));
    }
    rig.run();
    assertEquals(
        30, batch.stream().filter(one -> one.join() instanceof SendOutcome.Accepted).count());
  }
}
