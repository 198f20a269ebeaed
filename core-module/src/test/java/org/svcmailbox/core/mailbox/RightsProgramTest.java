package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.Problem;

/**
 * Random programs of callers whose capabilities are narrowed, expire and are revoked while in use.
 * No caller exceeds its rights or ceilings, and permitted callers get what is ready. In the end
 * every message was delivered.
 */
class RightsProgramTest {
  private static final int STEPS = 6_000;
  private static final int CEILING = 1;

  static Stream<Long> seeds() {
    return Seeds.upTo(3);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void rightsComeAndGoAndNothingIsStranded(long seed) {
    new Program(seed).run();
  }

  /** A lease, as its holder knows it. */
  private record Held(Receipt receipt, CapabilityId holder, long deadline) {}

  /** A pending RECV. */
  private record Waiting(Caller caller, String topic, CompletableFuture<RecvOutcome> outcome) {}

  private static final class Program {
    private static final List<String> TOPICS = List.of("orders", "refunds");
    private static final Duration VISIBILITY = Duration.ofSeconds(2);

    private final Random random;
    private final MailboxRig rig;
    private final long seed;
    private final SampleCallers people = new SampleCallers();
    private final List<Caller> callers = new ArrayList<>();
    private final Map<MsgId, String> topics = new LinkedHashMap<>();
    private final Map<MsgId, Held> held = new LinkedHashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-20T12:00:00Z");
    private int born;
    private int keys;
    private int deniedToSettle;
    private int deniedToWait;
    private int atCeiling;
    private int forgiven;

    Program(long seed) {
      this.seed = seed;
      random = new Random(seed);
      rig =
          new MailboxRig(
              seed,
              Map.of(
                  "mailbox.workers", "2",
                  "mailbox.max_attempts", "1000",
                  "mailbox.global_inflight", "4"));
      for (int i = 0; i < 6; i++) {
        callers.add(newcomer());
      }
    }

    private Caller newcomer() {
      List<String> caveats = new ArrayList<>();
      if (random.nextInt(3) == 0) {
        caveats.add("topic = " + TOPICS.get(random.nextInt(2)));
      }
      if (random.nextInt(2) == 0) {
        caveats.add("max_inflight = " + CEILING);
      }
      if (random.nextInt(3) == 0) {
        caveats.add("expires < " + now.plusMillis(1 + random.nextInt(20_000)));
      }
      if (random.nextInt(5) == 0) {
        caveats.add("ops = send,recv");
      }
      return people.caller(born++, caveats.toArray(String[]::new));
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        act();
        collect();
        check();
      }
      finish();
      List<Integer> seen = List.of(deniedToSettle, deniedToWait, atCeiling, forgiven);
      Seeds.requireMet(seed, seen.stream().allMatch(times -> times > 2), seen.toString());
    }

    private void act() {
      int dice = random.nextInt(100);
      if (dice < 25 && topics.size() < 6) {
        send();
      } else if (dice < 44) {
        recv(callers.get(random.nextInt(callers.size())));
      } else if (dice < 80) {
        settle();
      } else if (dice < 92) {
        pass(Duration.ofMillis(random.nextInt(1_000)));
      } else {
        int who = random.nextInt(callers.size());
        if (random.nextBoolean()) {
          people.revoke(callers.get(who));
        } else {
          callers.set(who, newcomer());
        }
      }
    }

    private void send() {
      String topic = TOPICS.get(random.nextInt(2));
      rig.caller = SampleCallers.OPERATOR;
      if (rig.send(topic, "key " + keys++, "x") instanceof SendOutcome.Accepted accepted) {
        topics.put(accepted.msgId(), topic);
      }
    }

    private void recv(Caller caller) {
      String topic = TOPICS.get(random.nextInt(2));
      Duration wait = random.nextInt(5) > 0 ? Duration.ofSeconds(5) : Duration.ZERO;
      rig.caller = caller;
      boolean may = may(caller, Operation.RECV, topic);
      CompletableFuture<RecvOutcome> outcome =
          rig.recv(topic, 1 + random.nextInt(3), VISIBILITY, wait).outcome().toCompletableFuture();
      assertTrue(may || isDenied(outcome.getNow(Delivered.NONE)), "was let in");
      Waiting one = new Waiting(caller, topic, outcome);
      if (outcome.isDone()) {
        answered(one);
      } else {
        waiting.add(one);
      }
    }

    private void settle() {
      if (topics.isEmpty()) {
        return;
      }
      List<MsgId> some = new ArrayList<>(random.nextInt(4) > 0 ? held.keySet() : topics.keySet());
      if (some.isEmpty()) {
        return;
      }
      MsgId msgId = some.get(random.nextInt(some.size()));
      Held lease = held.get(msgId);
      rig.caller = settler(lease);
      Receipt receipt = lease == null || random.nextBoolean() ? null : lease.receipt();
      SettleRequest request =
          switch (random.nextInt(5)) {
            case 0 -> new SettleRequest.Nack(msgId, receipt, "no", Duration.ZERO);
            case 1 -> new SettleRequest.Extend(msgId, receipt, VISIBILITY);
            default -> new SettleRequest.Ack(msgId, receipt);
          };
      boolean isDue = isDue(request, lease);
      boolean may = may(rig.caller, request.operation(), requireNonNull(topics.get(msgId)));
      SettleOutcome outcome = rig.settle(request);
      if (isDenied(outcome)) {
        assertTrue(!isDue, "denied: " + outcome);
        deniedToSettle++;
      } else if (outcome instanceof SettleOutcome.Unknown) {
        assertTrue(lease == null, "a lease was forgotten");
      } else {
        assertTrue(isDue, "was not denied: " + outcome);
        forgiven += may ? 0 : 1;
      }
      note(request, lease, outcome);
    }

    /** Whether a caller may settle a message under this lease. */
    private boolean isDue(SettleRequest request, @Nullable Held lease) {
      TopicName topic = new TopicName(requireNonNull(topics.get(request.msgId())));
      CapabilityId holder = lease == null ? null : lease.holder();
      return rig.caller.settlingDenial(request.operation(), topic, holder).isEmpty();
    }

    /** Mostly the holder, or another caller with its id. */
    private Caller settler(@Nullable Held lease) {
      CapabilityId holder = lease == null || random.nextInt(4) == 0 ? null : lease.holder();
      return callers.stream()
          .filter(caller -> caller.capability().id().equals(holder))
          .findFirst()
          .orElse(callers.get(random.nextInt(callers.size())));
    }

    private void note(SettleRequest request, @Nullable Held lease, SettleOutcome outcome) {
      if (!(outcome instanceof SettleOutcome.Done)) {
        return;
      }
      if (request instanceof SettleRequest.Extend) {
        long deadline = rig.time.nanos() + VISIBILITY.toNanos();
        Held mine = requireNonNull(lease, "what nobody holds was extended");
        held.put(request.msgId(), new Held(mine.receipt(), mine.holder(), deadline));
        return;
      }
      held.remove(request.msgId());
      if (request instanceof SettleRequest.Ack) {
        topics.remove(request.msgId());
      }
    }

    private void pass(Duration by) {
      now = now.plus(by);
      people.now(now);
      rig.pass(by);
      held.values().removeIf(lease -> lease.deadline() - rig.time.nanos() <= 0);
    }

    private void collect() {
      for (Waiting one : List.copyOf(waiting)) {
        if (one.outcome().isDone()) {
          waiting.remove(one);
          RecvOutcome outcome = answered(one);
          deniedToWait += isDenied(outcome) ? 1 : 0;
          atCeiling += outcome instanceof Refusal && !isDenied(outcome) ? 1 : 0;
        }
      }
    }

    private RecvOutcome answered(Waiting one) {
      RecvOutcome outcome = MailboxRig.answered(one.outcome());
      if (outcome instanceof Delivered delivered) {
        delivered.messages().forEach(message -> delivered(one, message));
      }
      return outcome;
    }

    private void delivered(Waiting to, LeasedMessage leased) {
      MsgId msgId = leased.message().envelope().msgId();
      assertTrue(may(to.caller(), Operation.RECV, to.topic()), "delivered to whom nothing is due");
      assertEquals(to.topic(), topics.get(msgId), "an invented message");
      long deadline = rig.time.nanos() + VISIBILITY.toNanos();
      CapabilityId holder = to.caller().capability().id();
      Held before = held.put(msgId, new Held(leased.receipt(), holder, deadline));
      assertEquals(null, before, "two leases");
    }

    private void check() {
      int leased = held.size();
      assertEquals(leased, rig.mailbox().limits().inflight(), "in flight");
      for (Caller caller : callers) {
        CapabilityId id = caller.capability().id();
        long mine = held.values().stream().filter(lease -> lease.holder().equals(id)).count();
        boolean bounded = !caller.capability().ceilings().isEmpty();
        assertTrue(!bounded || mine <= CEILING, "a ceiling was passed: " + mine);
      }
      assertEquals(topics.keySet(), rig.broker.everything().keySet(), "what the broker holds");
      for (Waiting one : waiting) {
        boolean may = may(one.caller(), Operation.RECV, one.topic());
        long ready =
            topics.entrySet().stream()
                .filter(e -> e.getValue().equals(one.topic()) && !held.containsKey(e.getKey()))
                .count();
        assertTrue(!may || ready == 0 || leased >= 4, "somebody waits for what is ready");
      }
    }

    /** An unrestricted caller receives all remaining messages. */
    private void finish() {
      pass(Duration.ofSeconds(10));
      collect();
      rig.caller = SampleCallers.OPERATOR;
      for (int i = 0; !topics.isEmpty(); i++) {
        assertTrue(i < 10_000, "stranded: " + topics);
        String topic = TOPICS.get(i % 2);
        if (rig.recvNow(topic, 10) instanceof Delivered delivered) {
          for (LeasedMessage leased : delivered.messages()) {
            MsgId msgId = leased.message().envelope().msgId();
            assertTrue(rig.ack(msgId, leased.receipt()) instanceof SettleOutcome.Done);
            topics.remove(msgId);
          }
        }
      }
      assertEquals(0, rig.mailbox().limits().inflightLimits().holders());
      assertEquals(0, rig.mailbox().limits().inflightLimits().bytes().total().count());
      assertEquals(0, rig.mailbox().limits().waiting().total().count());
      assertTrue(rig.broker.everything().isEmpty());
    }

    private static boolean may(Caller caller, Operation operation, String topic) {
      return caller.denial(operation, new TopicName(topic)).isEmpty();
    }

    private static boolean isDenied(Object outcome) {
      return outcome instanceof Refusal refusal
          && (refusal.problem() == Problem.E_CAP_AUTH || refusal.problem() == Problem.E_CAP_SCOPE);
    }
  }
}
