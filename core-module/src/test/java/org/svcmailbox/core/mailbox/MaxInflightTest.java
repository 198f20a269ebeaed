package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.test.concurrent.OwnThread;

/** Ceilings of capabilities, and the limit of all leases. */
class MaxInflightTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final SampleCallers people = new SampleCallers();
  private final MailboxRig rig = new MailboxRig(1, Map.of("mailbox.workers", "2"));

  private static void send(MailboxRig rig, String topic, int count) {
    rig.caller = SampleCallers.OPERATOR;
    for (int i = 0; i < count; i++) {
      assertInstanceOf(SendOutcome.Accepted.class, rig.send(topic, "key " + i, "12345"));
    }
  }

  private RecvOutcome recv(Caller caller, String topic) {
    rig.caller = caller;
    return rig.recvNow(topic, 1);
  }

  private void gets(Caller caller, int messages) {
    int got = 0;
    while (recv(caller, "orders") instanceof Delivered delivered) {
      assertEquals(1, delivered.messages().size());
      got++;
    }
    assertEquals(messages, got);
    assertEquals("max_inflight", refusal(recv(caller, "orders")).reason());
  }

  private static Refusal refusal(RecvOutcome outcome) {
    return assertInstanceOf(Refusal.class, outcome);
  }

  private static MsgId id(LeasedMessage leased) {
    return leased.message().envelope().msgId();
  }

  private CompletableFuture<RecvOutcome> waiting(Caller caller) {
    rig.caller = caller;
    return rig.recv("orders", 1, SECOND, LONG).outcome().toCompletableFuture();
  }

  @Test
  void aCeilingIsOneOverAllShardsWorkersAndTopics() {
    send(rig, "orders", 20);
    send(rig, "refunds", 20);
    Caller caller = people.caller(1, "max_inflight = 5");
    int held = 0;
    for (int i = 0; i < 8; i++) {
      rig.caller = caller;
      RecvOutcome outcome = rig.recvNow(i % 2 == 0 ? "orders" : "refunds", 2);
      held += outcome instanceof Delivered delivered ? delivered.messages().size() : 0;
    }
    assertEquals(5, held);
    Refusal refusal = refusal(recv(caller, "refunds"));
    assertEquals("max_inflight", refusal.reason());
    assertEquals(SECOND, refusal.retryAfter());
    assertEquals(1, rig.mailbox().limits().inflightLimits().holders());
    gets(people.caller(2, "max_inflight = 5"), 5);
  }

  @Test
  void whatIsNarrowedFromACeilingSharesItAndCannotRaiseIt() {
    send(rig, "orders", 10);
    Caller wide = people.caller(1, "max_inflight = 3");
    Caller narrow = people.caller(1, "max_inflight = 3", "ops = recv");
    Caller greedy = people.caller(1, "max_inflight = 3", "max_inflight = 3");
    assertInstanceOf(Delivered.class, recv(wide, "orders"));
    assertInstanceOf(Delivered.class, recv(narrow, "orders"));
    assertInstanceOf(Delivered.class, recv(greedy, "orders"));
    for (Caller caller : List.of(wide, narrow, greedy)) {
      assertEquals("max_inflight", refusal(recv(caller, "orders")).reason());
    }
    gets(people.caller(1, "ops = recv", "max_inflight = 3"), 3);
  }

  @Test
  void ofSeveralCeilingsAllHold() {
    send(rig, "orders", 10);
    gets(people.caller(1, "max_inflight = 3", "max_inflight = 1"), 1);
    gets(people.caller(1, "max_inflight = 3", "topic = orders", "max_inflight = 9"), 2);
    gets(people.caller(2, "max_inflight = 1", "max_inflight = 3"), 1);
  }

  /** The ways in which a lease ends. */
  enum End {
    ACK,
    NACK,
    EXPIRY,
    DELETION,
    LOST_SESSION,
    FAILED_COMMIT,
    COMMIT_IN_DOUBT,
    EXPIRY_WITHOUT_SESSION;

    void of(MailboxRig rig, LeasedMessage lease) {
      switch (this) {
        case ACK -> rig.ack(id(lease), lease.receipt());
        case NACK -> rig.nack(id(lease), lease.receipt(), LONG);
        case EXPIRY -> rig.pass(SECOND);
        case DELETION -> delete(rig);
        case LOST_SESSION -> rig.broker.crash();
        case FAILED_COMMIT -> fail(rig, lease, CommitFault.BEFORE);
        case COMMIT_IN_DOUBT -> fail(rig, lease, CommitFault.AFTER);
        case EXPIRY_WITHOUT_SESSION -> expireWithout(rig);
      }
    }

    private static void fail(MailboxRig rig, LeasedMessage lease, CommitFault fault) {
      rig.broker.failNextCommit(fault);
      assertInstanceOf(Refusal.class, rig.ack(id(lease), lease.receipt()));
    }

    private static void expireWithout(MailboxRig rig) {
      rig.broker.crash();
      rig.pass(SECOND);
    }

    private static void delete(MailboxRig rig) {
      CompletableFuture<Void> done =
          CompletableFuture.runAsync(
              () ->
                  rig.mailbox()
                      .topicAdmin()
                      .delete(SampleCallers.OPERATOR, new TopicName("orders")),
              OwnThread.EXECUTOR);
      while (!done.isDone()) {
        rig.run();
      }
      done.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void howeverALeaseEndsNothingOfItIsCountedAnyMore(End end) {
    send(rig, "orders", 2);
    rig.caller = people.caller(1, "max_inflight = 1", "ops = recv,ack,nack");
    RecvOutcome outcome = rig.recvNow("orders", 1);
    LeasedMessage lease = assertInstanceOf(Delivered.class, outcome).messages().get(0);
    InflightLimits inflightLimits = rig.mailbox().limits().inflightLimits();
    assertEquals(1, inflightLimits.holders());
    assertEquals(5, inflightLimits.bytes().total().count());

    end.of(rig, lease);
    rig.run();
    assertEquals(0, inflightLimits.holders());
    assertEquals(0, inflightLimits.bytes().total().count());
    assertEquals(0, inflightLimits.messages().total().count());

    rig.pass(SECOND);
    send(rig, "orders", 3);
    gets(people.caller(1, "max_inflight = 1"), 1);
  }

  @Test
  void anAnswerThatNobodyReadIsNotCountedAnyMore() {
    send(rig, "orders", 2);
    rig.caller = people.caller(1, "max_inflight = 1");
    MailboxService.PendingRecv unread = rig.recv("orders", 1, LONG, Duration.ZERO);
    InflightLimits inflightLimits = rig.mailbox().limits().inflightLimits();
    assertEquals(1, inflightLimits.holders());
    unread.abandon();
    rig.run();
    assertEquals(0, inflightLimits.holders());
    assertEquals(0, inflightLimits.bytes().total().count());
    gets(rig.caller, 1);
  }

  @Test
  void aCallThatWaitsAtItsCeilingIsRefusedAndKeepsNobodyWaiting() {
    Caller bounded = people.caller(1, "max_inflight = 1");
    List<CompletableFuture<RecvOutcome>> calls = new ArrayList<>();
    calls.add(waiting(bounded));
    calls.add(waiting(bounded));
    calls.add(waiting(people.caller(2)));
    send(rig, "orders", 1);
    assertInstanceOf(Delivered.class, MailboxRig.answered(calls.get(0)));
    send(rig, "orders", 2);
    assertEquals("max_inflight", refusal(MailboxRig.answered(calls.get(1))).reason());
    assertInstanceOf(Delivered.class, MailboxRig.answered(calls.get(2)));
    assertEquals(1, rig.mailbox().limits().inflightLimits().holdersRefused());
    assertFalse(waiting(people.caller(2)).isDone());
  }
}
