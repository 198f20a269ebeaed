package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.mailbox.NaiveMailbox.Message;
import org.svcmailbox.core.mailbox.NaiveMailbox.State;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;

/**
 * Runs random programs on the real and the naive mailbox, which must agree after every step. The
 * invariants: nothing lost or invented, at most one lease, attempts that rise by one, order within
 * a shard, and an unbroken ledger of exactly the accepted messages.
 */
class RandomProgramTest {
  private static final String TOPIC = "orders";
  private static final int STEPS = 12_000;
  private static final int MAX_ATTEMPTS = 4;
  private static final int SHARDS = 3;
  private static final int MOST_SHARDS = 8;

  /** So short that some extensions are beyond it. */
  private static final Duration LONGEST_LEASE = Duration.ofMillis(2_300);

  static Stream<Long> seeds() {
    return Seeds.upTo(2);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void workersAgreeWithTheModelThroughCrashesAndRestartsOfTheProcess(long seed) {
    new Program(seed, 2, false).run();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void oneWorkerAgreesWithTheModelThroughFailedCommitsAndItsOwnDeaths(long seed) {
    new Program(seed, 1, true).run();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void aWorkerOfThreeGroupsAgreesWithTheModel(long seed) {
    new Program(seed, 1, 3, true).run();
  }

  /** A pending RECV. */
  private record Waiting(MailboxService.PendingRecv call, Duration visibility) {}

  private static final class Program {
    private final long seed;
    private final Random random;
    private final MailboxRig rig;
    private final NaiveMailbox model = new NaiveMailbox(MAX_ATTEMPTS, LONGEST_LEASE);
    private final DoomedTopic doomed;
    private final List<Waiting> waiting = new ArrayList<>();
    private final boolean faults;

    /** Whether a commit in doubt concerns every SEND. */
    private final boolean isOneInDoubt;

    private Instant bornAt;
    private int keys;
    private int deliveries;
    private int deaths;
    private int broken;
    private int late;
    private int tooLong;
    private int restarts;
    private int handed;

    Program(long seed, int workers, boolean faults) {
      this(seed, workers, 1, faults);
    }

    Program(long seed, int workers, int groupsEach, boolean faults) {
      this.seed = seed;
      this.random = new Random(seed);
      this.faults = faults;
      this.isOneInDoubt = groupsEach == 1;
      this.rig = new MailboxRig(seed, settings(workers), groupsEach);
      this.doomed = new DoomedTopic(rig, random, faults);
      this.bornAt = rig.clock.instant();
      rig.run();
      assertTrue(putTopic(SHARDS), "the topic was there");
    }

    private static Map<String, String> settings(int workers) {
      return Map.of(
          "mailbox.workers", Integer.toString(workers),
          "mailbox.ready_shards", Integer.toString(SHARDS),
          "mailbox.max_attempts", Integer.toString(MAX_ATTEMPTS),
          "mailbox.t_replay", "7d",
          "mailbox.global_inflight", "25");
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        act();
        collect();
        check();
        model.settle(rig.time.nanos());
        model.forgetOld();
      }
      drain();
      Seeds.requireMet(
          seed,
          deliveries > STEPS / 20
              && deaths > 0
              && tooLong > 50
              && (faults ? broken > 10 && late > 3 : restarts > 10 && handed > 30)
              && doomed.wasMet(),
          deliveries
              + " deliveries, "
              + deaths
              + " deaths, "
              + broken
              + " failed commits, "
              + late
              + " late, "
              + tooLong
              + " extensions that were too long, "
              + restarts
              + " planned restarts with "
              + handed
              + " leases");
    }

    private void act() {
      int dice = random.nextInt(100);
      if (random.nextInt(20) == 0) {
        // Without effect: the model does not know of it.
        rig.time.jumpWall(Duration.ofSeconds(random.nextInt(241) - 120));
      }
      if (faults && random.nextInt(40) == 0) {
        armFault();
      }
      if (random.nextInt(20) == 0) {
        doomed.act();
      } else if (dice < 15) {
        send();
      } else if (dice < 40) {
        recv();
      } else if (dice < 80) {
        settle();
      } else if (dice < 98 || faults) {
        tick(Duration.ofMillis(1 + random.nextInt(400)));
      } else if (random.nextBoolean()) {
        restart();
      } else {
        rig.crash();
        model.crash(rig.time.nanos());
        begun();
      }
      if (faults && !rig.mailbox().isHealthy()) {
        recover(Set.of());
      }
    }

    /** The model's leases go on, whatever the workers' number is afterwards. */
    private void restart() {
      restarts++;
      handed += model.in(State.LEASED).size();
      rig.settings = MailboxRig.settings(settings(1 + random.nextInt(3)));
      rig.restart();
      begun();
    }

    private void begun() {
      bornAt = rig.clock.instant();
      doomed.crashed();
      waiting.clear();
    }

    private void armFault() {
      switch (random.nextInt(12)) {
        case 0 -> rig.broker.failNextCommit(InMemoryBroker.CommitFault.BEFORE);
        case 1 -> rig.broker.failNextCommit(InMemoryBroker.CommitFault.AFTER);
        case 2 -> rig.log.failNext(Fault.BEFORE);
        case 3 -> rig.log.failNext(Fault.AFTER);
        case 4 -> rig.broker.dieAtNextCommit(InMemoryBroker.CommitFault.BEFORE);
        case 5 -> rig.broker.dieAtNextCommit(InMemoryBroker.CommitFault.AFTER);
        case 6 -> rig.log.dieNext(Fault.BEFORE);
        case 7 -> rig.log.dieNext(Fault.AFTER);
        case 8 -> rig.broker.dieAtNextCommit(InMemoryBroker.CommitFault.LATE);
        case 9 -> rig.log.lateNext();
        case 10 -> rig.isProjectionLate = !rig.isProjectionLate;
        default -> rig.broker.failNextCommit(InMemoryBroker.CommitFault.LATE);
      }
    }

    private void send() {
      boolean repeat = keys > 0 && random.nextInt(4) == 0;
      String key = "key-" + (repeat ? random.nextInt(keys) : keys++);
      String payload = random.nextInt(10) == 0 ? "other" : "payload of " + key;
      String shardKey = random.nextBoolean() ? "sticky" : null;
      Duration delay =
          random.nextInt(5) == 0 ? Duration.ofMillis(random.nextInt(500)) : Duration.ZERO;
      long earliest = rig.time.nanos() + delay.toNanos();
      long due = earliest;
      SendOutcome outcome = rig.send(TOPIC, key, payload, shardKey, delay);
      for (int i = 0; outcome instanceof Refusal; i++) {
        assertTrue(faults && i < 20, "refused: " + outcome);
        if (!rig.mailbox().isHealthy()) {
          recover(Set.of());
        }
        due = rig.time.nanos() + delay.toNanos();
        outcome = rig.send(TOPIC, key, payload, shardKey, delay);
        if (outcome instanceof SendOutcome.Accepted accepted
            && accepted.duplicate()
            && !model.accepted().contains(accepted.msgId())) {
          // The first try was accepted after all, at some time between then and now.
          outcome = new SendOutcome.Accepted(accepted.msgId(), false);
        }
      }
      model.sent(key, payload, outcome, earliest, due);
    }

    private void recv() {
      Duration visibility = Duration.ofMillis(250 + random.nextInt(2_000));
      Duration wait =
          random.nextInt(3) == 0 ? Duration.ofMillis(random.nextInt(900)) : Duration.ZERO;
      MailboxService.PendingRecv call = rig.recv(TOPIC, 1 + random.nextInt(4), visibility, wait);
      waiting.add(new Waiting(call, visibility));
      if (random.nextInt(20) == 0) {
        collect();
        abandon(call);
      }
    }

    private void abandon(MailboxService.PendingRecv call) {
      CompletableFuture<RecvOutcome> outcome = call.outcome().toCompletableFuture();
      boolean had = outcome.isDone();
      call.abandon();
      rig.run();
      waiting.removeIf(one -> one.call() == call);
      if (had && outcome.join() instanceof Delivered delivered && rig.mailbox().isHealthy()) {
        delivered.messages().stream()
            .map(leased -> held(leased.message().envelope().msgId(), leased.receipt()))
            .forEach(message -> ifHeld(message));
      }
    }

    private void ifHeld(@Nullable Message message) {
      if (message != null) {
        model.givenBack(message);
        message.readyAt(rig.time.nanos(), rig.time.nanos());
      }
    }

    private @Nullable Message held(MsgId msgId, Receipt receipt) {
      Message message = model.messages.get(msgId);
      boolean holds =
          message != null && message.state == State.LEASED && receipt.equals(message.receipt);
      return holds ? message : null;
    }

    private void settle() {
      if (model.messages.isEmpty()) {
        return;
      }
      List<Message> all = model.all();
      List<Message> leased = all.stream().filter(m -> m.state == State.LEASED).toList();
      boolean live = !leased.isEmpty() && random.nextInt(5) > 0;
      Message message =
          live ? leased.get(random.nextInt(leased.size())) : all.get(random.nextInt(all.size()));
      Receipt receipt =
          switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> new Receipt("bogus-1");
            default -> message.receipt;
          };
      switch (random.nextInt(7)) {
        case 0, 1, 2 -> ack(message, receipt);
        case 3, 4 -> nack(message, receipt);
        case 5 -> reject(message, receipt);
        default -> extend(message, receipt);
      }
    }

    private boolean holds(Message message, @Nullable Receipt receipt) {
      return message.state == State.LEASED && (receipt == null || receipt.equals(message.receipt));
    }

    private void ack(Message message, @Nullable Receipt receipt) {
      boolean holds = holds(message, receipt);
      SettleOutcome outcome = rig.ack(message.id, receipt);
      if (unknownEnd(outcome, message)) {
        return;
      }
      if (holds) {
        assertInstanceOf(SettleOutcome.Done.class, outcome);
      } else if (message.state == State.LEASED) {
        assertEquals(new Stale(Why.SUPERSEDED), outcome);
      } else if (message.state != State.READY) {
        boolean repeated = outcome instanceof SettleOutcome.Done && message.state == State.GONE;
        assertTrue(repeated || !(outcome instanceof SettleOutcome.Done), "a dead letter was acked");
        return;
      } else if (outcome instanceof SettleOutcome.Done) {
        boolean forged = !message.id.createdAt().isAfter(bornAt);
        assertTrue(message.receipt != null || forged, "acked without ever being received");
      } else {
        boolean mine = receipt != null && receipt.equals(message.receipt);
        boolean here = message.isReady(rig.time.nanos());
        assertTrue(!(mine && here && message.ranOut), "a late ACK was refused: " + outcome);
      }
      if (outcome instanceof SettleOutcome.Done) {
        model.acked(message);
      }
    }

    private void nack(Message message, @Nullable Receipt receipt) {
      Duration delay =
          random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(random.nextInt(500));
      boolean holds = holds(message, receipt);
      SettleOutcome outcome = rig.nack(message.id, receipt, delay);
      if (unknownEnd(outcome, message)) {
        return;
      }
      assertEquals(holds, outcome instanceof SettleOutcome.Done, "nack: " + outcome);
      if (holds) {
        message.ranOut = false;
        model.failed(message, rig.time.nanos() + delay.toNanos());
      }
    }

    private void reject(Message message, @Nullable Receipt receipt) {
      boolean holds = holds(message, receipt);
      SettleOutcome outcome = rig.reject(message.id, receipt);
      if (unknownEnd(outcome, message)) {
        return;
      }
      boolean repeated = message.state == State.DEAD && message.isRejected;
      boolean isDone = outcome instanceof SettleOutcome.Done;
      assertTrue(holds == isDone || (isDone && repeated), "reject: " + outcome);
      if (holds) {
        model.rejected(message);
      }
    }

    private void extend(Message message, @Nullable Receipt receipt) {
      Duration visibility = Duration.ofMillis(250 + random.nextInt(4_000));
      boolean holds = holds(message, receipt);
      SettleOutcome outcome = rig.settle(new SettleRequest.Extend(message.id, receipt, visibility));
      if (unknownEnd(outcome, message)) {
        return;
      }
      long deadline = rig.time.nanos() + visibility.toNanos();
      boolean within = deadline - message.until <= Duration.ofSeconds(1).toNanos();
      assertEquals(holds && within, outcome instanceof SettleOutcome.Done, "extend: " + outcome);
      assertEquals(
          holds && !within, outcome instanceof SettleOutcome.TooLong, "extend: " + outcome);
      if (holds && within) {
        message.deadline = deadline;
      } else if (holds) {
        tooLong++;
      }
    }

    /** The commit failed: the broker tells whether it took effect. */
    private boolean unknownEnd(SettleOutcome outcome, Message message) {
      if (!(outcome instanceof Refusal)) {
        return false;
      }
      assertTrue(faults && !rig.mailbox().isHealthy(), "refused: " + outcome);
      recover(Set.of(message.id));
      return true;
    }

    private void recover(Set<MsgId> asked) {
      broken++;
      collect();
      model.reconcile(envelopes(), dead(), asked, rig.time.nanos());
      if (random.nextInt(3) == 0) {
        reshard();
      }
      for (int i = 0; !rig.mailbox().isHealthy(); i++) {
        assertTrue(i < 100, "the worker never came back");
        rig.pass(Duration.ofMillis(200));
      }
      if (rig.broker.hasLateCommit()) {
        endLateCommit(asked);
      }
      // To a dead worker's successor, every earlier receipt is of a previous life.
      bornAt = rig.clock.instant();
    }

    /** The next session delivers, but accepts no SENDs until the outcome is known. */
    private void endLateCommit(Set<MsgId> asked) {
      late++;
      collect();
      for (int i = random.nextInt(3); i >= 0; i--) {
        if (isOneInDoubt) {
          Refusal refusal = assertInstanceOf(Refusal.class, rig.send(TOPIC, "key-late", "x"));
          assertEquals("settling", refusal.reason());
        }
        recv();
        collect();
        rig.pass(Duration.ofMillis(random.nextInt(100)));
        model.tick(rig.time.nanos());
        collect();
      }
      rig.broker.endLateCommit(random.nextBoolean());
      rig.run();
      model.learn(envelopes(), dead(), asked, rig.time.nanos());
    }

    /** While the worker has no session to notice. */
    private void reshard() {
      assertFalse(putTopic(1 + random.nextInt(MOST_SHARDS)));
    }

    private boolean putTopic(int shards) {
      RetentionOverrides retention =
          new RetentionOverrides(null, null, LONGEST_LEASE, null, null, null);
      TopicOverrides overrides =
          new TopicOverrides(
              shards, null, null, null, Duration.ofSeconds(1), null, null, retention);
      TopicName name = new TopicName(TOPIC);
      return rig.operate(
          () -> rig.mailbox().topicAdmin().put(rig.caller, name, overrides, Precondition.NONE));
    }

    private void tick(Duration by) {
      if (rig.log.hasLate() && random.nextInt(3) == 0) {
        rig.log.endLate(random.nextBoolean());
      }
      rig.pass(by);
      if (faults && !rig.mailbox().isHealthy()) {
        recover(Set.of());
      } else {
        model.tick(rig.time.nanos());
      }
    }

    /** Collects the answers and checks each delivery. */
    private void collect() {
      Map<MsgId, Envelope> all = envelopes();
      for (Waiting one : List.copyOf(waiting)) {
        CompletableFuture<RecvOutcome> outcome = one.call().outcome().toCompletableFuture();
        if (outcome.isDone()) {
          waiting.remove(one);
          if (outcome.join() instanceof Delivered delivered) {
            delivered.messages().forEach(m -> delivered(m, one.visibility(), all));
          }
        }
      }
    }

    private void delivered(
        RecvOutcome.LeasedMessage message, Duration visibility, Map<MsgId, Envelope> all) {
      model.delivered(message, visibility, rig.time.nanos(), all);
      deliveries++;
    }

    private void check() {
      if (faults && !rig.mailbox().isHealthy()) {
        recover(Set.of());
      }
      Set<MsgId> live = new HashSet<>(model.in(State.READY, State.LEASED));
      assertEquals(live, envelopes().keySet(), "what the broker holds");
      assertEquals(model.in(State.DEAD), dead(), "dead letters");
      deaths = dead().size();
      int leased = model.in(State.LEASED).size();
      assertEquals(leased, rig.mailbox().limits().inflight(), "in flight");
      checkGauges();
      boolean ready = model.all().stream().anyMatch(m -> m.isReady(rig.time.nanos()));
      assertTrue(waiting.isEmpty() || !ready || leased >= 25, "somebody waits for what is ready");
    }

    /** The metrics match the broker. */
    private void checkGauges() {
      Limits limits = rig.mailbox().limits();
      TopicName name = new TopicName(TOPIC);
      long messages = 0;
      long bytes = 0;
      for (ShardId shard : rig.mailbox().directory().openShards(name)) {
        assertEquals(
            rig.broker.messages(shard), limits.counters(shard).depth(), "depth of " + shard);
        messages += limits.counters(shard).depth();
        assertEquals(rig.broker.held(shard).bytes(), limits.counters(shard).bytes(), "its bytes");
        bytes += limits.counters(shard).bytes();
      }
      assertEquals(bytes, limits.topics().of(name).bytes().count(), "bytes of the topic");
      assertEquals(messages, limits.topics().of(name).messages().count(), "messages of the topic");
      if (random.nextInt(25) == 0) {
        lookAtQueues(rig.mailbox().directory().existing(name));
        assertEquals(deaths, limits.topics().of(name).deadLetters(), "dead letters");
        doomed.looked();
      }
    }

    /** On its own thread only when it waits for the worker, because that is slow. */
    private void lookAtQueues(Topic topic) {
      if (topic.isRebalancing() || !rig.mailbox().directory().unfinished().isEmpty()) {
        rig.operate(() -> rig.mailbox().queues().step());
      } else {
        rig.mailbox().queues().step();
      }
    }

    private Map<MsgId, Envelope> envelopes() {
      Map<MsgId, Envelope> all = new HashMap<>();
      for (StoredMessage message : rig.broker.everything().values()) {
        Envelope envelope = message.envelope();
        if (envelope.topic().value().equals(TOPIC)) {
          all.put(envelope.msgId(), envelope);
        }
      }
      return all;
    }

    private Set<MsgId> dead() {
      Set<MsgId> dead = new HashSet<>();
      for (ObservedLetter letter : rig.broker.quarantined(new TopicName(TOPIC))) {
        StoredMessage message = requireNonNull(letter.message());
        assertTrue(dead.add(message.envelope().msgId()), "quarantined twice");
        Message known = requireNonNull(model.messages.get(message.envelope().msgId()));
        if (letter.why().reason() == DeadLetterReason.REJECTED) {
          assertEquals(known.attempt, letter.why().attempt());
        } else {
          assertEquals(DeadLetterReason.MAX_ATTEMPTS, letter.why().reason());
          assertEquals(MAX_ATTEMPTS, letter.why().attempt());
        }
      }
      return dead;
    }

    /** All remaining messages can be received and acknowledged, and the ledger is whole. */
    private void drain() {
      for (int i = 0; !model.in(State.READY, State.LEASED).isEmpty(); i++) {
        assertTrue(i < 10_000, "what is left cannot be had");
        tick(Duration.ofSeconds(1));
        collect();
        if (rig.recvNow(TOPIC, 10) instanceof Delivered delivered) {
          Map<MsgId, Envelope> all = envelopes();
          delivered.messages().forEach(m -> delivered(m, Duration.ofSeconds(1), all));
          delivered.messages().forEach(m -> ackLast(m));
        }
      }
      assertTrue(envelopes().isEmpty(), "something is left over");
      checkLedger();
    }

    private void ackLast(RecvOutcome.LeasedMessage leased) {
      MsgId id = leased.message().envelope().msgId();
      Message message = requireNonNull(model.messages.get(id));
      ack(message, leased.receipt());
    }

    private void checkLedger() {
      rig.log.endLate(random.nextBoolean());
      rig.project();
      Topic topic = rig.mailbox().directory().existing(new TopicName(TOPIC));
      Set<MsgId> inLedger = new HashSet<>();
      for (int shard = 0; shard < topic.state().madeShards(); shard++) {
        List<LedgerEntry> entries = rig.ledger(topic, shard);
        assertEquals(
            new LedgerVerdict.Intact(entries.size()),
            LedgerVerdict.check(LedgerHead.EMPTY, entries));
        entries.forEach(entry -> assertTrue(inLedger.add(entry.msgId())));
      }
      assertEquals(model.accepted(), inLedger, "the ledger");
    }
  }
}
