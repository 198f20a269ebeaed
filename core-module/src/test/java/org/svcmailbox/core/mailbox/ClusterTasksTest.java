package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.HoldingService.HeldLease;
import org.svcmailbox.core.delivery.LeaseSelection;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.route.GroupOwners;
import org.svcmailbox.core.route.GroupQuestions;
import org.svcmailbox.core.route.GroupResult;
import org.svcmailbox.core.route.GroupTask;
import org.svcmailbox.core.route.MalformedFrameException;
import org.svcmailbox.core.route.OwnerAwayException;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.PeerTransport.NotSentException;

/** Calls of operators at each of three nodes, for a topic whose groups they share. */
class ClusterTasksTest {
  private static final int NODES = 3;
  private static final int GROUPS = 6;
  private static final int SHARDS = 12;
  private static final int KEYS = 30;
  private static final Caller OPERATOR = SampleCallers.OPERATOR;

  private final SeveralNodes nodes = new SeveralNodes(NODES, 1, GROUPS, SHARDS);
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final SampleCallers callers = new SampleCallers();
  private final List<GroupOwners> owners = new ArrayList<>();
  private final List<GroupQuestions> questions = new ArrayList<>();

  /** A node that nobody reaches; -1 for none. */
  private volatile int cutOff = -1;

  @BeforeEach
  void begin() {
    for (int number = 0; number < NODES; number++) {
      Mailbox mailbox = nodes.nodes.get(number).mailbox;
      owners.add(
          new GroupOwners(
              new View(number),
              mailbox.groupWorker(),
              this::ask,
              Duration.ofSeconds(1),
              nodes.time,
              () -> nodes.time.advance(Duration.ofMillis(250))));
      questions.add(
          new GroupQuestions(
              mailbox.groupWorker(), (token, client) -> callers.holder(token), nodes.time));
    }
    for (int group = 0; group < GROUPS; group++) {
      CompletableFuture<Boolean> unused = nodes.nodes.get(group % NODES).take(group);
      nodes.run();
    }
    for (int i = 0; i < KEYS; i++) {
      assertInstanceOf(Accepted.class, owner("k" + i).send("k" + i));
    }
  }

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  private Node owner(String key) {
    return nodes.nodes.get(nodes.slot(key) % GROUPS % NODES);
  }

  /** Each node serves two groups, and all know it. */
  private final class View implements Owners {
    private final int number;

    View(int number) {
      this.number = number;
    }

    @Override
    public NodeId self() {
      return new NodeId("n" + number);
    }

    @Override
    public int groups() {
      return GROUPS;
    }

    @Override
    public Owner of(int group) {
      for (int node = 0; node < NODES; node++) {
        if (nodes.nodes.get(node).mailbox.groups().served().containsKey(group)) {
          return node == number ? Owner.HERE : new Owner.Elsewhere(view(node));
        }
      }
      return Owner.MOVING;
    }

    @Override
    public List<NodeView> peers() {
      return IntStream.range(0, NODES)
          .filter(node -> node != number)
          .mapToObj(ClusterTasksTest::view)
          .toList();
    }
  }

  private static NodeView view(int node) {
    return new NodeView(new NodeId("n" + node), URI.create("http://n" + node), true);
  }

  private CompletionStage<byte[]> ask(URI peer, byte[] frame) {
    int to = Integer.parseInt(peer.getHost().substring(1));
    if (to == cutOff) {
      return CompletableFuture.failedFuture(new NotSentException("cut off"));
    }
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return PeerCodec.answerFrame(
                List.of(PeerCodec.encode(questions.get(to).answer(PeerCodec.calls(frame).get(0)))));
          } catch (MalformedFrameException e) {
            throw new AssertionError(e);
          }
        },
        pool);
  }

  private TopicContents contents(int at) {
    return nodes.nodes.get(at).mailbox.topicContents(Optional.of(owners.get(at)));
  }

  private HoldingService holdings(int at) {
    return nodes.nodes.get(at).mailbox.holdings(nonces -> Map.of(), Optional.of(owners.get(at)));
  }

  private LedgerService ledgers(int at) {
    return nodes.nodes.get(at).mailbox.ledgers(Optional.of(owners.get(at)));
  }

  /** Does what waits for workers, while they take steps. */
  private <T> T run(Supplier<T> work) {
    CompletableFuture<T> done = CompletableFuture.supplyAsync(work, pool);
    while (!done.isDone()) {
      nodes.run();
    }
    try {
      return done.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private List<StoredMessage> peek(int at, int limit) {
    return run(() -> contents(at).peek(OPERATOR, SeveralNodes.TOPIC, null, limit));
  }

  private long purge(int at) {
    return run(() -> contents(at).purge(OPERATOR, SeveralNodes.TOPIC));
  }

  private List<String> actions() {
    return nodes.audited.stream()
        .map(AuditEntry::action)
        .filter(action -> !action.equals("topic.put"))
        .toList();
  }

  @Test
  void anyNodePeeksAtTheMessagesOfAllInTheirOrder() {
    List<StoredMessage> all = peek(0, 100);
    assertEquals(KEYS, all.size());
    List<Envelope> envelopes = all.stream().map(StoredMessage::envelope).toList();
    assertEquals(
        envelopes.stream()
            .sorted(Comparator.comparing(Envelope::shard).thenComparing(Envelope::seq))
            .toList(),
        envelopes);
    for (int at = 1; at < NODES; at++) {
      assertEquals(all, peek(at, 100));
      assertEquals(all.subList(0, 5), peek(at, 5));
    }
  }

  @Test
  void oneShardIsReadAtItsOwner() {
    Map<Integer, List<StoredMessage>> byShard =
        peek(0, 100).stream().collect(groupingBy(one -> one.envelope().shard()));
    byShard.forEach(
        (shard, messages) ->
            assertEquals(
                messages, run(() -> contents(1).peek(OPERATOR, SeveralNodes.TOPIC, shard, 100))));
  }

  @Test
  void anyNodePurgesTheMessagesOfAllAndAuditsItOnce() {
    assertEquals(KEYS, purge(1));
    assertEquals(List.of(), peek(0, 100));
    assertEquals(List.of("topic.purge"), actions());
    assertEquals(0, purge(2));
  }

  @Test
  void aPurgeThatDoesNotReachANodeSaysHowFarItCame() {
    cutOff = 2;
    OwnerAwayException away = assertThrows(OwnerAwayException.class, () -> purge(0));
    assertEquals("owner_lost", away.reason(), "other reasons say that nothing was changed");
    cutOff = -1;
    List<StoredMessage> left = peek(0, 100);
    assertTrue(!left.isEmpty() && left.size() < KEYS);
    assertTrue(
        requireNonNull(away.getMessage()).startsWith(KEYS - left.size() + " removed so far: "),
        away::getMessage);
    assertEquals(left.size(), purge(0));
  }

  private String awayFrom(int at) {
    return assertThrows(OwnerAwayException.class, () -> peek(at, 100)).reason();
  }

  @Test
  void aPeekWithoutANodeShowsNothing() {
    int group = owners.get(0).groupOf(nodes.topic().shard(0).slot());
    int owner = group % NODES;
    int other = (owner + 1) % NODES;
    cutOff = owner;
    assertEquals("owner_unreachable", awayFrom(other));
    cutOff = -1;
    CompletableFuture<Void> given = nodes.nodes.get(owner).giveAway(group);
    nodes.run();
    assertTrue(given.isDone());
    assertEquals("group_moving", awayFrom(other));
    CompletableFuture<Boolean> unused = nodes.nodes.get(other).take(group);
    nodes.run();
    assertEquals(KEYS, peek(owner, 100).size());
  }

  private GroupResult carryOut(int at, Set<Integer> groups, GroupTask task) {
    return run(() -> nodes.nodes.get(at).mailbox.groupWorker().carryOut(OPERATOR, groups, task));
  }

  private Set<Integer> groupsOf(List<StoredMessage> messages) {
    return messages.stream()
        .map(one -> owners.get(0).groupOf(one.envelope().msgId().slot()))
        .collect(toSet());
  }

  @Test
  void aNodeActsForTheGroupsThatItServesAndIsAskedFor() {
    Set<Integer> all = IntStream.range(0, GROUPS).boxed().collect(toSet());
    GroupTask peek = new GroupTask.Peek(SeveralNodes.TOPIC, null, 100);
    int at = 0;
    while (groupsOf(carryOut(at, all, peek).messages()).size() < 2) {
      at++;
    }
    GroupResult whole = carryOut(at, all, peek);
    assertEquals(Set.of(at, at + NODES), whole.groups());
    assertEquals(Set.of(at, at + NODES), groupsOf(whole.messages()));
    Set<Integer> one = Set.of(at);
    GroupResult part = carryOut(at, one, peek);
    assertEquals(one, part.groups());
    assertEquals(one, groupsOf(part.messages()));
    int leased = nodes.nodes.get(at).leased(100, Duration.ofMinutes(10)).size();
    assertEquals(whole.messages().size(), leased);
    int some = part.messages().size();
    assertEquals(
        some, carryOut(at, one, new GroupTask.ListLeases(SeveralNodes.TOPIC, 100)).leases().size());
    GroupTask end = new GroupTask.EndLeases(SeveralNodes.TOPIC, LeaseSelection.ALL);
    assertEquals(some, carryOut(at, one, end).count());
    assertEquals(leased - some, carryOut(at, all, end).count());
  }

  @Test
  void rightsAreThoseOfTheOperatorAtEachNode() {
    Caller reader = callers.caller(1, "ops = peek");
    assertEquals(KEYS, run(() -> contents(0).peek(reader, SeveralNodes.TOPIC, null, 100)).size());
    assertThrows(
        DeniedException.class, () -> run(() -> contents(0).purge(reader, SeveralNodes.TOPIC)));
    assertThrows(
        OwnerAwayException.class,
        () ->
            run(
                () -> {
                  owners
                      .get(0)
                      .ask(
                          reader, Set.of(1), new GroupTask.Purge(SeveralNodes.TOPIC), result -> {});
                  return 0;
                }));
    assertEquals(KEYS, peek(0, 100).size());
  }

  private MsgId sendLater(String key) {
    CompletableFuture<?> reply =
        owner(key)
            .mailbox
            .send(
                OPERATOR,
                new SendRequest(
                    SeveralNodes.TOPIC,
                    Payload.owning(key.getBytes(StandardCharsets.UTF_8)),
                    new IdemKey(key),
                    Attributes.NONE,
                    null,
                    null,
                    Duration.ofHours(1),
                    null))
            .toCompletableFuture();
    nodes.run();
    return assertInstanceOf(Accepted.class, reply.join()).msgId();
  }

  @Test
  void anyNodeListsAndCancelsWhatWaitsForItsTime() {
    List<MsgId> later = IntStream.range(0, 6).mapToObj(i -> sendLater("later-" + i)).toList();
    for (int at = 0; at < NODES; at++) {
      TopicContents contents = contents(at);
      assertEquals(
          Set.copyOf(later),
          Set.copyOf(
              contents
                  .scheduled(OPERATOR, SeveralNodes.TOPIC, ScheduledMessage.Position.FIRST, 100)
                  .messages()
                  .stream()
                  .map(one -> one.envelope().msgId())
                  .toList()));
    }
    for (MsgId msgId : later.subList(0, 4)) {
      run(
          () -> {
            contents(0).cancelScheduled(OPERATOR, SeveralNodes.TOPIC, msgId);
            return 0;
          });
      assertThrows(
          NotFoundException.class,
          () ->
              run(
                  () -> {
                    contents(1).cancelScheduled(OPERATOR, SeveralNodes.TOPIC, msgId);
                    return 0;
                  }));
    }
    assertEquals(KEYS + 2, purge(2), "with those that wait");
  }

  private List<HeldLease> leases(int at, int limit) {
    return run(() -> holdings(at).leases(OPERATOR, SeveralNodes.TOPIC, limit));
  }

  private long end(int at, LeaseSelection which) {
    return run(() -> holdings(at).withdraw(OPERATOR, SeveralNodes.TOPIC, which, "why"));
  }

  @Test
  void anyNodeListsAndEndsTheLeasesOfAll() {
    List<LeasedMessage> leased = new ArrayList<>();
    for (Node node : nodes.nodes) {
      leased.addAll(node.leased(2, Duration.ofMinutes(10)));
      nodes.pass(Duration.ofSeconds(1));
    }
    List<MsgId> ids = leased.stream().map(one -> one.message().envelope().msgId()).toList();
    assertEquals(2 * NODES, ids.size());
    nodes.pass(Duration.ofSeconds(2));
    for (int at = 0; at < NODES; at++) {
      List<HeldLease> seen = leases(at, 100);
      assertEquals(Set.copyOf(ids), Set.copyOf(seen.stream().map(HeldLease::msgId).toList()));
      assertEquals(seen.subList(0, 3), leases(at, 3), "the oldest");
    }
    assertEquals(2, end(0, LeaseSelection.of(Set.of(ids.get(0), ids.get(5)))));
    assertEquals(4, end(1, LeaseSelection.ALL));
    assertEquals(0, end(2, LeaseSelection.ALL));
    assertEquals(List.of("topic.leases.end", "topic.leases.end", "topic.leases.end"), actions());
  }

  @Test
  void anyNodeReadsAndChecksTheLedgersOfAll() {
    for (int at = 0; at < NODES; at++) {
      int entries = 0;
      LedgerService ledgers = ledgers(at);
      for (int shard = 0; shard < SHARDS; shard++) {
        int of = shard;
        List<LedgerEntry> read =
            run(() -> ledgers.ledger(OPERATOR, SeveralNodes.TOPIC, of, 1, 100)).entries();
        entries += read.size();
        assertEquals(
            new LedgerVerdict.Intact(read.size()),
            run(() -> ledgers.verify(OPERATOR, SeveralNodes.TOPIC, of, 1)));
      }
      assertEquals(KEYS, entries);
    }
  }

  /** Its latest entries may be in its log alone. */
  @Test
  void aLedgerWhoseOwnerIsNotReachedIsNotRead() {
    cutOff = owners.get(0).groupOf(nodes.topic().shard(0).slot()) % NODES;
    int at = (cutOff + 1) % NODES;
    assertThrows(
        OwnerAwayException.class,
        () -> run(() -> ledgers(at).ledger(OPERATOR, SeveralNodes.TOPIC, 0, 1, 10)));
  }
}
