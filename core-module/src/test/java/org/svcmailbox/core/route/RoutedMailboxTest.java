package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.InMemoryOwners;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

/** One node with a peer, whose transport answers as told. */
class RoutedMailboxTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Map<String, String> SETTINGS = Map.of("mailbox.ready_shards", "8");
  private static final int GROUPS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Owner PEER = peer("b");

  private final TestTime time = new TestTime();
  private final FakeMailbox local = new FakeMailbox();
  private final InMemoryOwners owners =
      new InMemoryOwners(new NodeId("a"), GROUPS, List.of(((Owner.Elsewhere) PEER).node()));
  private final List<Frame> frames = new ArrayList<>();

  /** The node that each frame went to. */
  private final List<String> sentTo = new ArrayList<>();

  private final Topic topic =
      new Topic(
          1,
          ORDERS,
          TopicState.fresh(TopicOverrides.NONE, 8),
          SettingsLoader.load(
                  key -> Optional.ofNullable(SETTINGS.get(key)), SETTINGS.keySet(), /* cores= */ 2)
              .defaults());
  private final RoutedMailbox mailbox =
      new RoutedMailbox(
          new RoutedMailbox.Ports(
              local,
              owners,
              new Transport(),
              RoutedMailboxTest::ready,
              name -> topic,
              time,
              new Random(1),
              PATIENCE));

  /** A frame that was sent, and its answers. */
  private record Frame(List<ForwardedCall> calls, CompletableFuture<byte[]> reply) {
    ForwardedCall only() {
      assertEquals(1, calls.size());
      return calls.get(0);
    }

    void answer(PeerAnswer... answers) {
      reply.complete(PeerCodec.answerFrame(Stream.of(answers).map(PeerCodec::encode).toList()));
    }

    void lose() {
      reply.completeExceptionally(new IOException("reset"));
    }

    void refuse() {
      reply.completeExceptionally(new PeerTransport.NotSentException("refused"));
    }
  }

  private static Owner peer(String name) {
    return new Owner.Elsewhere(
        new NodeView(new NodeId(name), URI.create("http://" + name + ":8080"), true));
  }

  private final class Transport implements PeerTransport {
    @Override
    public CompletionStage<byte[]> send(URI peer, byte[] calls) {
      sentTo.add(peer.getHost());
      try {
        Frame frame = new Frame(PeerCodec.calls(calls), new CompletableFuture<>());
        frames.add(frame);
        return frame.reply();
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** As a node of the release before. */
  private static CompletionStage<byte[]> ready(URI peer, byte[] question) {
    return CompletableFuture.failedFuture(new PeerTransport.NotSentException("status 404"));
  }

  private Frame last() {
    return frames.get(frames.size() - 1);
  }

  private void serve(Owner owner) {
    IntStream.range(0, GROUPS).forEach(group -> owners.serve(group, owner));
  }

  /** Lets time pass in small steps. */
  private void pass(Duration time) {
    for (long millis = 0; millis < time.toMillis(); millis += RoutedMailbox.TICK.toMillis()) {
      this.time.advance(RoutedMailbox.TICK);
      int unused = mailbox.tick();
    }
  }

  private static SendRequest request(String key, @Nullable ShardKey shardKey) {
    return new SendRequest(
        ORDERS,
        Payload.owning(new byte[] {1}),
        new IdemKey(key),
        Attributes.NONE,
        null,
        shardKey,
        Duration.ZERO,
        null);
  }

  private CompletableFuture<SendOutcome> send(String key) {
    return mailbox.send(SampleCallers.OPERATOR, request(key, null)).toCompletableFuture();
  }

  private void sendNumber(int number) {
    CompletableFuture<SendOutcome> unused = send("k" + number);
  }

  private CompletableFuture<SettleOutcome> settle(SettleRequest request) {
    return mailbox.settle(SampleCallers.OPERATOR, request).toCompletableFuture();
  }

  private PendingRecv recv(Duration wait) {
    return mailbox.recv(
        SampleCallers.OPERATOR, new RecvRequest(ORDERS, null, 1, 1_000, wait, null));
  }

  private static Accepted accepted() {
    return new Accepted(new MsgId(1, 2), false);
  }

  private static Delivered message() {
    return new Delivered(List.of(new RandomFrames(1).leased()));
  }

  private static RecvOutcome outcome(PendingRecv recv) {
    return recv.outcome().toCompletableFuture().join();
  }

  private static String reason(CompletableFuture<?> outcome) {
    return assertInstanceOf(Refusal.class, outcome.getNow(null)).reason();
  }

  private static PeerAnswer refused(String reason) {
    return new PeerAnswer.Refused(new Refusal(Problem.E_SATURATED, reason, "full", null));
  }

  private static PeerAnswer moving() {
    return new PeerAnswer.Refused(RouteRefusals.groupMoving());
  }

  @Test
  void aCallOfAGroupHereIsNotForwarded() {
    serve(Owner.HERE);
    CompletableFuture<SendOutcome> sent = send("k");
    local.sent.complete(accepted());
    assertEquals(accepted(), sent.join());
    assertEquals(List.of(), frames);
  }

  @Test
  void aCallOfAGroupElsewhereGoesThereWithItsTokenAndAddress() {
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    ForwardedCall call = last().only();
    assertEquals(List.of("b"), sentTo);
    assertEquals(new PeerCall.Send(request("k", null)), call.call());
    assertEquals(SampleCallers.OPERATOR.token(), call.token());
    last().answer(new PeerAnswer.Sent(accepted()));
    assertEquals(accepted(), sent.join());
    assertEquals(List.of(), local.calls);
  }

  @Test
  void aCallWaitsForItsGroupAndIsThenRefused() {
    CompletableFuture<SendOutcome> sent = send("k");
    pass(PATIENCE.minusMillis(50));
    assertFalse(sent.isDone());
    pass(Duration.ofMillis(300));
    assertEquals("group_moving", reason(sent));
  }

  @Test
  void aCallGoesOnOnceItsGroupIsServed() {
    CompletableFuture<SendOutcome> sent = send("k");
    pass(Duration.ofSeconds(1));
    serve(PEER);
    pass(Duration.ofMillis(200));
    last().answer(moving());
    serve(Owner.HERE);
    pass(Duration.ofMillis(200));
    local.sent.complete(accepted());
    assertEquals(accepted(), sent.join());
  }

  @Test
  void aGroupThatLeavesThisNodeMeanwhileIsLookedForAgain() {
    serve(Owner.HERE);
    local.sent.complete(RouteRefusals.groupMoving());
    CompletableFuture<SendOutcome> sent = send("k");
    serve(PEER);
    pass(Duration.ofMillis(50));
    last().answer(new PeerAnswer.Sent(accepted()));
    assertEquals(accepted(), sent.join());
  }

  /** The map says where a group goes before its heir says that it has it. */
  @Test
  void ownerAndHeirOfAGroupAreAskedInTurn() {
    serve(PEER);
    IntStream.range(0, GROUPS).forEach(group -> owners.inherit(group, peer("c")));
    CompletableFuture<SendOutcome> sent = send("k");
    for (int i = 0; i < 3; i++) {
      last().answer(moving());
      pass(Duration.ofMillis(200));
    }
    assertEquals(List.of("b", "c", "b", "c"), sentTo);
    last().answer(new PeerAnswer.Sent(accepted()));
    assertEquals(accepted(), sent.join());
  }

  /** The heir waits for the log of a group that the owner still holds. */
  @Test
  void aNodeThatWaitsForTheLogIsAskedAgain() {
    Refusal settling = Refusal.unavailable(Refusal.SETTLING, "no log yet", PATIENCE);
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    last().answer(new PeerAnswer.Refused(settling));
    serve(Owner.HERE);
    local.sent.complete(settling);
    pass(Duration.ofMillis(50));
    local.sent = new CompletableFuture<>();
    pass(Duration.ofMillis(100));
    local.sent.complete(accepted());
    assertEquals(accepted(), sent.join());

    local.sent = new CompletableFuture<>();
    local.sent.complete(settling);
    CompletableFuture<SendOutcome> refused = send("k");
    pass(PATIENCE.plusMillis(300));
    assertEquals("settling", reason(refused));
  }

  /** It has given its groups away, and ends before this node has read so. */
  @Test
  void aCallThatANodeRefusesBecauseItEndsIsLookedForAgain() {
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    last().answer(draining());
    serve(Owner.HERE);
    pass(Duration.ofMillis(50));
    local.sent.complete(accepted());
    assertEquals(accepted(), sent.join());

    serve(PEER);
    PendingRecv recv = recv(Duration.ZERO);
    last().answer(draining());
    serve(Owner.HERE);
    pass(Duration.ofMillis(100));
    assertEquals(Delivered.NONE, outcome(recv));
  }

  private static PeerAnswer draining() {
    return new PeerAnswer.Refused(
        Refusal.unavailable(Refusal.DRAINING, "the service is stopping", PATIENCE));
  }

  @Test
  void aNodeThatStopsAnswersCallsThatWait() {
    CompletableFuture<SendOutcome> sent = send("k");
    PendingRecv nowhere = recv(Duration.ofSeconds(10));
    mailbox.end();
    assertEquals("group_moving", reason(sent));
    assertEquals("group_moving", reason(nowhere.outcome().toCompletableFuture()));
  }

  @Test
  void aRecvThatWaitsEndsEmptyOnANodeThatStops() {
    serve(Owner.HERE);
    PendingRecv recv = recv(Duration.ofSeconds(10));
    mailbox.end();
    assertEquals(Delivered.NONE, outcome(recv));
    assertTrue(local.recvs.get(local.recvs.size() - 1).isAbandoned);
  }

  @Test
  void aNodeThatIsNotReachedRefusesAfterPatience() {
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    for (int i = 0; i < 200 && !sent.isDone(); i++) {
      frames.stream().filter(frame -> !frame.reply().isDone()).forEach(Frame::refuse);
      pass(RoutedMailbox.TICK);
    }
    assertEquals("owner_unreachable", reason(sent));
    // A skipped node is tried four times a second.
    assertTrue(frames.size() >= 8 && frames.size() <= 16, frames.size() + " frames");
  }

  /** Settlements, and whether one is repeated once its connection is lost. */
  static Stream<Arguments> settlements() {
    MsgId id = new MsgId(1, 2);
    Receipt receipt = new Receipt("r-1");
    return Stream.of(
        Arguments.of(new SettleRequest.Ack(id, receipt), false),
        Arguments.of(new SettleRequest.Nack(id, receipt, "no", null), false),
        Arguments.of(new SettleRequest.Reject(id, receipt, "no"), false),
        Arguments.of(new SettleRequest.Extend(id, receipt, Duration.ofSeconds(5)), true));
  }

  @ParameterizedTest
  @MethodSource("settlements")
  void onlyAnExtendIsRepeatedOnceItMayHaveBeenDone(SettleRequest request, boolean isRepeated) {
    serve(PEER);
    CompletableFuture<SettleOutcome> settled = settle(request);
    last().lose();
    pass(Duration.ofMillis(100));
    assertEquals(isRepeated ? 2 : 1, frames.size());
    if (isRepeated) {
      last().answer(new PeerAnswer.Settled(SettleOutcome.DONE));
      assertEquals(SettleOutcome.DONE, settled.join());
    } else {
      assertEquals("owner_lost", reason(settled));
    }
  }

  @Test
  void anAckWithoutAnAnswerIsNotRepeated() {
    serve(PEER);
    CompletableFuture<SettleOutcome> settled = settle(new SettleRequest.Ack(new MsgId(1, 2), null));
    last().answer(new PeerAnswer.Unanswered());
    assertEquals("owner_lost", reason(settled));
  }

  @Test
  void anAckThatWasNotSentIsRepeated() {
    serve(PEER);
    CompletableFuture<SettleOutcome> settled = settle(new SettleRequest.Ack(new MsgId(1, 2), null));
    last().refuse();
    pass(Duration.ofMillis(50));
    last().answer(new PeerAnswer.Settled(SettleOutcome.DONE));
    assertEquals(SettleOutcome.DONE, settled.join());
    assertEquals(2, frames.size());
  }

  @Test
  void aSendIsRepeatedAndAnswersWithTheSecondOutcome() {
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    last().lose();
    pass(Duration.ofMillis(50));
    assertEquals(frames.get(0).calls(), frames.get(1).calls());
    Accepted duplicate = new Accepted(new MsgId(1, 2), true);
    last().answer(new PeerAnswer.Sent(duplicate));
    assertEquals(duplicate, sent.join());
  }

  /** A 429 would say that nothing was changed. */
  @Test
  void aSendThatMayHaveBeenDoneIsNeverCalledUnchanged() {
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    last().lose();
    pass(Duration.ofMillis(50));
    last().answer(refused("shard_capacity"));
    assertEquals("owner_lost", reason(sent));
    CompletableFuture<SendOutcome> thrown = send("k");
    last().answer(new PeerAnswer.Unanswered());
    pass(Duration.ofMillis(50));
    last().answer(new PeerAnswer.Thrown(Problem.E_NOT_FOUND, "no topic", List.of()));
    assertEquals("owner_lost", reason(thrown));
    CompletableFuture<SendOutcome> moved = send("k");
    last().lose();
    owners.serve(0, Owner.MOVING);
    owners.serve(1, Owner.MOVING);
    pass(PATIENCE.plusMillis(300));
    assertEquals("owner_lost", reason(moved));
  }

  @Test
  void aRefusalOfTheOwnerIsPassedOn() {
    serve(PEER);
    CompletableFuture<SendOutcome> sent = send("k");
    last().answer(refused("shard_capacity"));
    assertEquals("shard_capacity", reason(sent));
    CompletableFuture<SendOutcome> wrong = send("k");
    List<FieldViolation> violations = List.of(new FieldViolation("visibility_ms", "is too long"));
    last().answer(new PeerAnswer.Thrown(Problem.E_SCHEMA, "wrong", violations));
    CompletionException thrown = assertThrows(CompletionException.class, wrong::join);
    assertEquals(
        violations, assertInstanceOf(SchemaException.class, thrown.getCause()).violations());
  }

  @Test
  void answersThatAreNotThoseOfTheFrameCountAsLost() {
    serve(PEER);
    CompletableFuture<SettleOutcome> settled = settle(new SettleRequest.Ack(new MsgId(1, 2), null));
    last().answer();
    assertEquals("owner_lost", reason(settled));
    settled = settle(new SettleRequest.Ack(new MsgId(1, 2), null));
    last().reply().complete(new byte[] {9});
    assertEquals("owner_lost", reason(settled));
  }

  @Test
  void framesGrowWhileFourAreUnderWay() {
    serve(PEER);
    IntStream.range(0, 20).forEach(this::sendNumber);
    assertEquals(4, frames.size());
    frames.get(0).answer(new PeerAnswer.Sent(accepted()));
    assertEquals(16, last().calls().size());
  }

  @Test
  void aFullPeerRefusesAtOnce() {
    serve(PEER);
    IntStream.range(0, PeerQueue.MOST_CALLS).forEach(this::sendNumber);
    assertEquals("peer_saturated", reason(send("one more")));
  }

  /** The peer may be stopped: its groups move, and the calls with them. */
  @Test
  void callsThatDoNotLeaveWithinASecondAreRoutedAgain() {
    serve(PEER);
    IntStream.range(0, PeerQueue.MOST_FRAMES).forEach(this::sendNumber);
    CompletableFuture<SendOutcome> waiting = send("waiting");
    serve(Owner.HERE);
    local.sent.complete(accepted());
    pass(Duration.ofMillis(900));
    assertFalse(waiting.isDone());
    pass(Duration.ofMillis(200));
    assertEquals(accepted(), waiting.join());
  }

  @Test
  void callsBeyondTenThousandDoNotWait() {
    List<CompletableFuture<SendOutcome>> sent =
        IntStream.range(0, Parking.MOST).mapToObj(i -> send("k" + i)).toList();
    assertEquals("group_moving", reason(send("one more")));
    assertTrue(sent.stream().noneMatch(CompletableFuture::isDone));
    pass(PATIENCE.plusMillis(300));
    assertTrue(sent.stream().allMatch(CompletableFuture::isDone));
    assertFalse(send("another").isDone());
  }

  @Test
  void aShardKeyThatLeadsToAnotherGroupIsRefused() {
    serve(Owner.HERE);
    int refused = 0;
    for (int i = 0; i < 20; i++) {
      IdemKey key = new IdemKey("k" + i);
      ShardKey shardKey = new ShardKey("customer");
      boolean isAway =
          topic.shardFor(key, shardKey).slot() % GROUPS
              != topic.shardFor(key, null).slot() % GROUPS;
      CompletableFuture<SendOutcome> sent =
          mailbox.send(SampleCallers.OPERATOR, request("k" + i, shardKey)).toCompletableFuture();
      assertEquals(isAway, sent.isDone());
      refused += isAway ? 1 : 0;
      if (isAway) {
        assertEquals("not_clustered", reason(sent));
      }
    }
    assertTrue(refused > 0 && refused < 20, refused + " refused");
    assertEquals(20 - refused, local.calls.size());
  }

  @Test
  void aCallWithoutTheRightAsksNobody() {
    serve(PEER);
    Caller reader = new SampleCallers().caller(1, "ops = recv");
    Caller writer = new SampleCallers().caller(2, "ops = send");
    assertEquals(
        "operation", reason(mailbox.send(reader, request("k", null)).toCompletableFuture()));
    RecvRequest recv = new RecvRequest(ORDERS, null, 1, 1, Duration.ZERO, null);
    assertEquals("operation", reason(mailbox.recv(writer, recv).outcome().toCompletableFuture()));
    assertEquals(List.of(), frames);
  }

  /** Group 0 is here, group 1 there, so both are asked. */
  private void serveOneGroupEach() {
    owners.serve(0, Owner.HERE);
    owners.serve(1, PEER);
  }

  @Test
  void aRecvAsksEachOwnerUntilOneHasMessages() {
    serveOneGroupEach();
    PendingRecv recv = recv(Duration.ZERO);
    Delivered message = message();
    last().answer(new PeerAnswer.Received(message));
    assertEquals(message, outcome(recv));
    PendingRecv nothing = recv(Duration.ZERO);
    last().answer(new PeerAnswer.Received(Delivered.NONE));
    assertEquals(Delivered.NONE, outcome(nothing));
    assertTrue(local.recvs.size() >= 1);
    local.received = message;
    int before = frames.size();
    for (int i = 0; i < 40; i++) {
      PendingRecv either = recv(Duration.ZERO);
      if (!either.outcome().toCompletableFuture().isDone()) {
        last().answer(new PeerAnswer.Received(message));
      }
      assertEquals(message, outcome(either));
    }
    int there = frames.size() - before;
    assertTrue(there > 5 && there < 35, there + " of 40 asked the peer first");
  }

  @Test
  void aRecvWhoseOwnerIsLostAsksElsewhereAndGivesBack() {
    serveOneGroupEach();
    Delivered message = message();
    PendingRecv recv = recv(Duration.ZERO);
    RecvId id = ((PeerCall.Recv) last().only().call()).id();
    local.received = message;
    last().lose();
    if (!recv.outcome().toCompletableFuture().isDone()) {
      pass(Duration.ofMillis(100));
    }
    boolean isHereAskedFirst = outcome(recv).equals(Delivered.NONE);
    assertTrue(isHereAskedFirst || outcome(recv).equals(message));
    assertEquals(new PeerCall.GiveBack(id), last().only().call());
    last().refuse();
    pass(Duration.ofMillis(600));
    assertEquals(new PeerCall.GiveBack(id), last().only().call());
  }

  @Test
  void messagesThatTheClientDoesNotGetGoBack() {
    serve(PEER);
    PendingRecv gone = recv(Duration.ZERO);
    RecvId id = ((PeerCall.Recv) last().only().call()).id();
    gone.abandon();
    last().answer(new PeerAnswer.Received(message()));
    assertEquals(new PeerCall.GiveBack(id), last().only().call());
    last().answer(new PeerAnswer.GivenBack());

    PendingRecv unread = recv(Duration.ZERO);
    RecvId other = ((PeerCall.Recv) last().only().call()).id();
    last().answer(new PeerAnswer.Received(message()));
    assertInstanceOf(Delivered.class, outcome(unread));
    int before = frames.size();
    unread.abandon();
    assertEquals(new PeerCall.GiveBack(other), last().only().call());
    last().answer(new PeerAnswer.GivenBack());
    unread.abandon();
    assertEquals(before + 1, frames.size(), "once");
  }

  @Test
  void aWaitingRecvGetsMessagesOfThisNodeAtOnce() {
    serve(Owner.HERE);
    PendingRecv recv = recv(Duration.ofSeconds(10));
    FakeMailbox.Recv open = local.recvs.get(local.recvs.size() - 1);
    assertEquals(Duration.ofSeconds(10), open.request.maxWait());
    pass(Duration.ofSeconds(5));
    assertFalse(recv.outcome().toCompletableFuture().isDone());
    Delivered message = message();
    open.outcome.complete(message);
    assertEquals(message, outcome(recv));
    recv.abandon();
    assertTrue(open.isAbandoned, "its leases go back");
  }

  @Test
  void aWaitingRecvAsksOtherNodesAgainAndEndsItsLocalCall() {
    serveOneGroupEach();
    PendingRecv recv = recv(Duration.ofSeconds(10));
    last().answer(new PeerAnswer.Received(Delivered.NONE));
    FakeMailbox.Recv open = local.recvs.get(local.recvs.size() - 1);
    assertFalse(open.request.maxWait().isZero());
    for (int i = 0; i < 3; i++) {
      int before = frames.size();
      pass(Duration.ofSeconds(1));
      assertEquals(before + 1, frames.size());
      last().answer(new PeerAnswer.Received(Delivered.NONE));
    }
    pass(Duration.ofSeconds(1));
    Delivered message = message();
    last().answer(new PeerAnswer.Received(message));
    assertEquals(message, outcome(recv));
    assertTrue(open.isAbandoned);
  }

  /** Both have messages at once: those of the second one go back. */
  @Test
  void onlyOneOwnersMessagesAreDelivered() {
    serveOneGroupEach();
    PendingRecv recv = recv(Duration.ofSeconds(10));
    last().answer(new PeerAnswer.Received(Delivered.NONE));
    FakeMailbox.Recv open = local.recvs.get(local.recvs.size() - 1);
    pass(Duration.ofMillis(100));
    PeerCall.Recv asked = assertInstanceOf(PeerCall.Recv.class, last().only().call());
    Delivered here = message();
    open.outcome.complete(here);
    assertEquals(here, outcome(recv));
    last().answer(new PeerAnswer.Received(message()));
    assertEquals(new PeerCall.GiveBack(asked.id()), last().only().call());
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2500"})
  void aWaitingRecvEndsAtItsDeadline(int millis) {
    serve(PEER);
    PendingRecv recv = recv(Duration.ofMillis(millis));
    for (int i = 0; i < 200 && !recv.outcome().toCompletableFuture().isDone(); i++) {
      frames.stream()
          .filter(frame -> !frame.reply().isDone())
          .forEach(frame -> frame.answer(new PeerAnswer.Received(Delivered.NONE)));
      assertTrue(i * RoutedMailbox.TICK.toMillis() <= millis + 50, i + " ticks");
      pass(RoutedMailbox.TICK);
    }
    assertEquals(Delivered.NONE, outcome(recv));
  }

  @Test
  void aRecvWithoutAnyOwnerIsRefusedAfterPatience() {
    PendingRecv recv = recv(Duration.ZERO);
    pass(PATIENCE.minusMillis(50));
    assertFalse(recv.outcome().toCompletableFuture().isDone());
    pass(Duration.ofMillis(1_100));
    assertEquals("group_moving", reason(recv.outcome().toCompletableFuture()));
  }

  @Test
  void aDenialByAnOwnerEndsTheRecv() {
    serve(PEER);
    PendingRecv recv = recv(Duration.ofSeconds(10));
    last()
        .answer(
            new PeerAnswer.Refused(new Refusal(Problem.E_CAP_AUTH, "revoked", "revoked", null)));
    assertEquals("revoked", reason(recv.outcome().toCompletableFuture()));
  }
}
