package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.route.MalformedFrameException;
import org.svcmailbox.core.route.PeerCalls;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.route.PeerTransport;
import org.svcmailbox.core.route.ReadyCodec;
import org.svcmailbox.core.route.ReadyKey;
import org.svcmailbox.core.route.RoutedMailbox;

/**
 * Random programs of three nodes that route calls to each other while groups move, over a network
 * that delays, loses and cuts. Clients call any node. In the end each answered key is one message,
 * no message is lost, and none was delivered while another lease of it lived.
 */
class RoutedProgramTest {
  private static final int NODES = 3;
  private static final int GROUPS = 6;
  private static final int SHARDS = 8;
  private static final int STEPS = 6_000;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** No lease runs out within a program. */
  private static final Duration VISIBILITY = Duration.ofMinutes(30);

  static Stream<Long> seeds() {
    return Seeds.upTo(3);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void routedCallsAgreeWithTheModel(long seed) {
    new Program(seed).run();
  }

  /** A frame on its way to a node, or its answers on their way back. */
  private static final class InFlight {
    final int to;
    final byte[] calls;
    final CompletableFuture<byte[]> answers = new CompletableFuture<>();
    PeerService.@Nullable Answers carriedOut;
    byte[] encoded = {};

    InFlight(int to, byte[] calls) {
      this.to = to;
      this.calls = calls;
    }
  }

  /** A question on its way to a node, or there. */
  private static final class Waiting {
    final int to;
    final byte[] question;
    final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    @Nullable CompletableFuture<List<ReadyKey>> reported;

    Waiting(int to, byte[] question) {
      this.to = to;
      this.question = question;
    }

    void arrive(PeerService peer) {
      try {
        reported = peer.ready(ReadyCodec.question(question)).toCompletableFuture();
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A delivery to a client. */
  private record Lease(LeasedMessage message, long begun) {}

  private static final class Program {
    private final long seed;
    private final Random random;
    private final SeveralNodes nodes = new SeveralNodes(NODES, 1, GROUPS, SHARDS);
    private final SampleCallers callers = new SampleCallers();
    private final List<RoutedMailbox> routed = new ArrayList<>();
    private final List<PeerCalls> peerCalls = new ArrayList<>();
    private final List<InFlight> network = new ArrayList<>();
    private final List<Waiting> questions = new ArrayList<>();
    private final int[][] views = new int[NODES][GROUPS];
    private final Map<String, MsgId> keys = new HashMap<>();
    private final Map<MsgId, Envelope> messages = new HashMap<>();
    private final Map<MsgId, Lease> leases = new HashMap<>();
    private final Set<MsgId> acked = new HashSet<>();
    private final Set<MsgId> maybeAcked = new HashSet<>();
    private final Map<MsgId, Long> freed = new HashMap<>();
    private final Map<Integer, Long> moved = new HashMap<>();
    private final Map<String, Integer> met = new HashMap<>();
    private int open;
    private int made;
    private boolean isHealed;

    Program(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      for (int number = 0; number < NODES; number++) {
        Node node = nodes.nodes.get(number);
        routed.add(
            new RoutedMailbox(
                new RoutedMailbox.Ports(
                    node.mailbox,
                    new View(number),
                    new Transport(),
                    this::question,
                    node.mailbox.directory()::require,
                    nodes.time,
                    random,
                    PATIENCE)));
        peerCalls.add(
            new PeerCalls(
                node.mailbox, node.mailbox, (token, client) -> callers.holder(token), nodes.time));
      }
      for (int group = 0; group < GROUPS; group++) {
        move(group, random.nextInt(NODES));
      }
    }

    /** The owners as one node sees them: what it has itself, else what it last heard. */
    private final class View implements Owners {
      private final int number;

      View(int number) {
        this.number = number;
      }

      @Override
      public NodeId self() {
        return id(number);
      }

      @Override
      public int groups() {
        return GROUPS;
      }

      @Override
      public Owner of(int group) {
        if (nodes.nodes.get(number).holds(group)) {
          return Owner.HERE;
        }
        int other = views[number][group];
        return other == number ? Owner.MOVING : new Owner.Elsewhere(view(other));
      }

      @Override
      public List<NodeView> peers() {
        return IntStream.range(0, NODES)
            .filter(one -> one != number)
            .mapToObj(Program::view)
            .toList();
      }
    }

    private static NodeId id(int number) {
      return new NodeId("node-" + number);
    }

    private static NodeView view(int number) {
      return new NodeView(id(number), URI.create("http://node-" + number), true);
    }

    private final class Transport implements PeerTransport {
      @Override
      public CompletionStage<byte[]> send(URI peer, byte[] calls) {
        if (!isHealed && random.nextInt(30) == 0) {
          count("refused connections");
          return CompletableFuture.failedFuture(new NotSentException("no connection"));
        }
        InFlight frame = new InFlight(number(peer), calls);
        network.add(frame);
        return frame.answers;
      }
    }

    private CompletionStage<byte[]> question(URI peer, byte[] question) {
      Waiting asked = new Waiting(number(peer), question);
      questions.add(asked);
      return asked.answer;
    }

    private static int number(URI peer) {
      return Integer.parseInt(peer.getHost().substring("node-".length()));
    }

    /** One question arrives, is answered, ends without topics, or is lost. */
    private void ask() {
      if (questions.isEmpty()) {
        return;
      }
      Waiting question = questions.get(random.nextInt(questions.size()));
      boolean isLost = !isHealed && random.nextInt(5) == 0;
      CompletableFuture<List<ReadyKey>> reported = question.reported;
      if (isLost) {
        count("lost questions");
        questions.remove(question);
        question.answer.completeExceptionally(new IOException("cut"));
      } else if (reported == null) {
        question.arrive(peerCalls.get(question.to));
      } else if (reported.isDone() || random.nextInt(20) == 0) {
        List<ReadyKey> ready = reported.getNow(List.of());
        count(ready.isEmpty() ? "questions in vain" : "reports");
        questions.remove(question);
        question.answer.complete(ReadyCodec.encode(ready));
      }
      nodes.run();
    }

    private void count(String what) {
      met.merge(what, 1, Integer::sum);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        act(random.nextInt(100));
        check();
      }
      end();
      Seeds.requireMet(
          seed,
          met.getOrDefault("deliveries", 0) > 200
              && met.getOrDefault("moves", 0) > 50
              && met.getOrDefault("lost calls", 0) > 20
              && met.getOrDefault("lost answers", 0) > 20
              && met.getOrDefault("refused connections", 0) > 5
              && met.getOrDefault("frames of several", 0) > 10
              && met.getOrDefault("abandoned", 0) > 50
              && met.getOrDefault("reports", 0) > 5
              && met.getOrDefault("lost questions", 0) > 1
              && met.getOrDefault("owner_lost", 0) > 5,
          met.toString());
    }

    private void act(int dice) {
      if (dice < 20) {
        send(random.nextInt(3) > 0 || made == 0 ? "key-" + made++ : "key-" + random.nextInt(made));
      } else if (dice < 35) {
        recv();
      } else if (dice < 50) {
        settle();
      } else if (dice < 53) {
        move(random.nextInt(GROUPS), random.nextInt(NODES));
      } else if (dice < 58) {
        learn(random.nextInt(NODES));
      } else if (dice < 80) {
        travel();
      } else if (dice < 88) {
        ask();
      } else {
        nodes.time.advance(Duration.ofMillis(random.nextInt(60)));
        routed.forEach(RoutedMailbox::tick);
        nodes.run();
      }
    }

    /** A node hears who has the groups; what it hears may be wrong. */
    private void learn(int number) {
      for (int group = 0; group < GROUPS; group++) {
        for (int other = 0; other < NODES; other++) {
          if (nodes.nodes.get(other).holds(group) || (!isHealed && random.nextInt(40) == 0)) {
            views[number][group] = other;
          }
        }
      }
    }

    private void move(int group, int to) {
      count("moves");
      for (int other = 0; other < NODES; other++) {
        if (other != to) {
          CompletableFuture<Void> unused = nodes.nodes.get(other).giveAway(group);
        }
      }
      moved.put(group, nodes.time.nanos());
      CompletableFuture<Boolean> unused = nodes.nodes.get(to).take(group);
      if (random.nextBoolean()) {
        nodes.run();
      }
    }

    /** One frame, or its answers, arrives or is lost. */
    private void travel() {
      if (network.isEmpty()) {
        return;
      }
      InFlight frame = network.get(random.nextInt(network.size()));
      boolean isLost = !isHealed && random.nextInt(12) == 0;
      PeerService.Answers carriedOut = frame.carriedOut;
      if (carriedOut != null) {
        network.remove(frame);
        if (isLost) {
          count("lost answers");
          if (random.nextBoolean()) {
            carriedOut.unsent();
          }
          frame.answers.completeExceptionally(new IOException("cut"));
        } else {
          frame.answers.complete(frame.encoded);
        }
      } else if (isLost && random.nextBoolean()) {
        count("lost calls");
        network.remove(frame);
        frame.answers.completeExceptionally(new IOException("cut"));
      } else {
        carryOut(frame);
        if (isLost) {
          count("lost calls");
          network.remove(frame);
          frame.answers.completeExceptionally(new IOException("cut while it was carried out"));
        }
      }
      nodes.run();
    }

    private void carryOut(InFlight frame) {
      try {
        var calls = PeerCodec.calls(frame.calls);
        if (calls.size() > 1) {
          count("frames of several");
        }
        CompletionStage<Void> unused =
            peerCalls
                .get(frame.to)
                .carryOut(calls)
                .thenAccept(
                    answers -> {
                      frame.encoded = answers.frame();
                      frame.carriedOut = answers;
                    });
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
      nodes.run();
      if (frame.carriedOut == null) {
        throw new AssertionError("a frame has no answer");
      }
    }

    private RoutedMailbox any() {
      return routed.get(random.nextInt(NODES));
    }

    private void send(String key) {
      open++;
      SendRequest request =
          new SendRequest(
              SeveralNodes.TOPIC,
              Payload.owning(key.getBytes(StandardCharsets.UTF_8)),
              new IdemKey(key),
              Attributes.NONE,
              null,
              null,
              Duration.ZERO,
              null);
      CompletionStage<Void> unused =
          any().send(SampleCallers.OPERATOR, request).thenAccept(outcome -> sent(key, outcome));
      nodes.run();
    }

    private void sent(String key, SendOutcome outcome) {
      open--;
      if (outcome instanceof Accepted accepted) {
        count(accepted.duplicate() ? "duplicates" : "accepted");
        MsgId known = keys.put(key, accepted.msgId());
        assertTrue(known == null || known.equals(accepted.msgId()), () -> "two messages of " + key);
      } else {
        count(assertInstanceOf(Refusal.class, outcome).reason());
      }
    }

    private void recv() {
      open++;
      long begun = nodes.time.nanos();
      Duration wait =
          random.nextInt(3) == 0 ? Duration.ofMillis(random.nextInt(2_000)) : Duration.ZERO;
      PendingRecv call =
          any()
              .recv(
                  SampleCallers.OPERATOR,
                  new RecvRequest(
                      SeveralNodes.TOPIC,
                      VISIBILITY,
                      1 + random.nextInt(3),
                      Long.MAX_VALUE,
                      wait,
                      random.nextInt(5) == 0 ? random.nextInt(SHARDS) : null));
      boolean isAbandoned = random.nextInt(4) == 0;
      CompletionStage<Void> unused =
          call.outcome()
              .thenAccept(
                  outcome -> {
                    open--;
                    if (isAbandoned) {
                      call.abandon();
                    } else {
                      received(outcome, begun);
                    }
                  });
      if (isAbandoned) {
        count("abandoned");
        if (random.nextBoolean()) {
          call.abandon();
        }
      }
      nodes.run();
    }

    private void received(RecvOutcome outcome, long begun) {
      if (outcome instanceof Delivered delivered) {
        delivered.messages().forEach(leased -> delivered(leased, begun));
      } else {
        count("recv " + assertInstanceOf(Refusal.class, outcome).reason());
      }
    }

    private void delivered(LeasedMessage leased, long begun) {
      count("deliveries");
      MsgId id = leased.message().envelope().msgId();
      messages.putIfAbsent(id, leased.message().envelope());
      assertFalse(
          acked.contains(id) && begun > freed.getOrDefault(id, 0L), () -> "after ACK: " + id);
      Lease before = leases.get(id);
      boolean mayHaveEnded =
          before == null
              || requireNonNull(moved.get(id.slot() % GROUPS)) >= before.begun()
              || freed.getOrDefault(id, Long.MIN_VALUE) >= before.begun();
      assertTrue(mayHaveEnded, () -> "leased twice: " + id);
      leases.put(id, new Lease(leased, begun));
    }

    private void settle() {
      List<Lease> all = List.copyOf(leases.values());
      if (all.isEmpty()) {
        return;
      }
      Lease lease = all.get(random.nextInt(all.size()));
      MsgId id = lease.message().message().envelope().msgId();
      Receipt receipt = lease.message().receipt();
      int dice = random.nextInt(4);
      SettleRequest request =
          switch (dice) {
            case 0, 1 -> new SettleRequest.Ack(id, receipt);
            case 2 -> new SettleRequest.Nack(id, receipt, "no", Duration.ZERO);
            default -> new SettleRequest.Extend(id, receipt, VISIBILITY);
          };
      open++;
      if (dice < 2) {
        maybeAcked.add(id);
      }
      if (dice < 3) {
        freed.put(id, nodes.time.nanos());
      }
      CompletionStage<Void> unused =
          any()
              .settle(SampleCallers.OPERATOR, request)
              .thenAccept(outcome -> settled(id, dice, outcome));
      nodes.run();
    }

    private void settled(MsgId id, int dice, SettleOutcome outcome) {
      open--;
      if (outcome instanceof Done && dice < 3) {
        freed.put(id, nodes.time.nanos());
        if (dice < 2) {
          acked.add(id);
        }
      } else if (outcome instanceof Refusal refusal) {
        count(refusal.reason());
      }
    }

    /** Messages of SENDs that were answered, or may have been committed. */
    private void check() {
      Map<String, MsgId> byKey = new HashMap<>();
      Map<MsgId, StoredMessage> there = nodes.broker.everything();
      for (StoredMessage stored : there.values()) {
        messages.putIfAbsent(stored.envelope().msgId(), stored.envelope());
      }
      for (Envelope envelope : messages.values()) {
        MsgId other = byKey.put(envelope.idemKey().value(), envelope.msgId());
        assertEquals(null, other, "two messages of " + envelope.idemKey());
        boolean isThere = there.containsKey(envelope.msgId());
        assertTrue(
            isThere || maybeAcked.contains(envelope.msgId()), () -> "lost: " + envelope.msgId());
        assertFalse(isThere && acked.contains(envelope.msgId()), () -> "back: " + envelope.msgId());
      }
      keys.values().forEach(id -> assertTrue(messages.containsKey(id), () -> "never there: " + id));
    }

    private void end() {
      isHealed = true;
      for (int group = 0; group < GROUPS; group++) {
        move(group, group % NODES);
      }
      rest();
      assertEquals(0, open, "calls without an answer");
      assertEquals(List.of(), network);
      for (int i = 0; i < 1_000 && !nodes.broker.everything().isEmpty(); i++) {
        drain();
      }
      check();
      assertEquals(Set.of(), nodes.broker.everything().keySet());
      Set<MsgId> inLedger = new HashSet<>();
      for (int shard = 0; shard < SHARDS; shard++) {
        for (LedgerEntry entry :
            nodes.store.ledger(new LedgerId(nodes.topic().id(), shard), 1, Integer.MAX_VALUE)) {
          assertTrue(inLedger.add(entry.msgId()), "twice in the ledgers");
        }
      }
      assertEquals(messages.keySet(), inLedger);
    }

    private void rest() {
      for (int i = 0; i < 3_000 && (open > 0 || !network.isEmpty() || i < 500); i++) {
        for (int number = 0; number < NODES; number++) {
          learn(number);
        }
        while (!network.isEmpty()) {
          travel();
        }
        ask();
        nodes.time.advance(Duration.ofMillis(25));
        routed.forEach(RoutedMailbox::tick);
        nodes.run();
        check();
      }
    }

    /** Takes what is ready at any node; leases that nobody settled are given back by a move. */
    private void drain() {
      List<LeasedMessage> got = new ArrayList<>();
      open++;
      CompletionStage<Void> unused =
          any()
              .recv(
                  SampleCallers.OPERATOR,
                  new RecvRequest(
                      SeveralNodes.TOPIC, VISIBILITY, 100, Long.MAX_VALUE, Duration.ZERO, null))
              .outcome()
              .thenAccept(
                  outcome -> {
                    open--;
                    got.addAll(assertInstanceOf(Delivered.class, outcome).messages());
                  });
      nodes.run();
      while (open > 0) {
        travel();
      }
      if (got.isEmpty()) {
        nodes.pass(VISIBILITY.plusSeconds(1));
      }
      for (LeasedMessage leased : got) {
        MsgId id = leased.message().envelope().msgId();
        messages.putIfAbsent(id, leased.message().envelope());
        open++;
        maybeAcked.add(id);
        CompletionStage<Void> unusedAck =
            any()
                .settle(SampleCallers.OPERATOR, new SettleRequest.Ack(id, leased.receipt()))
                .thenAccept(
                    outcome -> {
                      open--;
                      assertInstanceOf(Done.class, outcome);
                      acked.add(id);
                    });
        nodes.run();
        while (open > 0) {
          travel();
        }
      }
    }
  }
}
