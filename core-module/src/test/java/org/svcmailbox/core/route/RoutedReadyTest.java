package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
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
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.InMemoryOwners;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicState;

/** RECVs that wait at a node until another one reports messages. */
class RoutedReadyTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Map<String, String> SETTINGS = Map.of("mailbox.ready_shards", "8");
  private static final int GROUPS = 2;
  private static final NodeView B = node("b");
  private static final NodeView C = node("c");
  private static final Duration WAIT = Duration.ofSeconds(20);

  private final TestTime time = new TestTime();
  private final FakeMailbox local = new FakeMailbox();
  private final InMemoryOwners owners = new InMemoryOwners(new NodeId("a"), GROUPS, List.of(B, C));
  private final List<Frame> frames = new ArrayList<>();
  private final List<Asked> questions = new ArrayList<>();
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
              this::ask,
              name -> topic,
              time,
              new Random(1),
              Duration.ofSeconds(3)));

  /** A frame of one call on its way. */
  private record Frame(String to, PeerCall call, CompletableFuture<byte[]> reply) {
    void answer(Delivered messages) {
      reply.complete(
          PeerCodec.answerFrame(List.of(PeerCodec.encode(new PeerAnswer.Received(messages)))));
    }
  }

  /** A question on its way. */
  private record Asked(String to, ReadyQuestion question, CompletableFuture<byte[]> reply) {
    void report() {
      reply.complete(ReadyCodec.encode(question.keys()));
    }
  }

  private final class Transport implements PeerTransport {
    @Override
    public CompletionStage<byte[]> send(URI peer, byte[] calls) {
      try {
        PeerCall call = PeerCodec.calls(calls).get(0).call();
        frames.add(new Frame(peer.getHost(), call, new CompletableFuture<>()));
        return frames.get(frames.size() - 1).reply();
      } catch (MalformedFrameException e) {
        throw new AssertionError(e);
      }
    }
  }

  private CompletionStage<byte[]> ask(URI peer, byte[] question) {
    try {
      ReadyQuestion asked = ReadyCodec.question(question);
      questions.add(new Asked(peer.getHost(), asked, new CompletableFuture<>()));
      return questions.get(questions.size() - 1).reply();
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  private static NodeView node(String name) {
    return new NodeView(new NodeId(name), URI.create("http://" + name + ":8080"), true);
  }

  private void serve(Owner first, Owner second) {
    owners.serve(0, first);
    owners.serve(1, second);
  }

  private void serveThere() {
    serve(new Owner.Elsewhere(B), new Owner.Elsewhere(B));
  }

  private PendingRecv recv(Duration wait) {
    return mailbox.recv(
        SampleCallers.OPERATOR, new RecvRequest(ORDERS, null, 1, 1_000, wait, null));
  }

  /** A RECV that has asked all owners in vain. */
  private PendingRecv waiting() {
    int before = frames.size();
    PendingRecv recv = recv(WAIT);
    for (int i = before; i < frames.size(); i++) {
      frames.get(i).answer(Delivered.NONE);
    }
    assertFalse(isAnswered(recv));
    return recv;
  }

  private Frame last() {
    return frames.get(frames.size() - 1);
  }

  private Asked question() {
    return questions.get(questions.size() - 1);
  }

  private void pass(Duration by) {
    for (long millis = 0; millis < by.toMillis(); millis += RoutedMailbox.TICK.toMillis()) {
      time.advance(RoutedMailbox.TICK);
      int unused = mailbox.tick();
    }
  }

  private static Delivered message() {
    return new Delivered(List.of(new RandomFrames(1).leased()));
  }

  private static boolean isAnswered(PendingRecv recv) {
    return recv.outcome().toCompletableFuture().isDone();
  }

  private static RecvOutcome outcome(PendingRecv recv) {
    return recv.outcome().toCompletableFuture().join();
  }

  @Test
  void aCallThatWaitsAsksOnceMoreWhenItsNodeHasMessages() {
    serveThere();
    PendingRecv recv = waiting();
    assertEquals(List.of(new ReadyKey(ORDERS, null)), question().question().keys());
    pass(Duration.ofSeconds(10));
    assertEquals(1, frames.size(), "nothing is asked meanwhile");
    question().report();
    assertEquals(2, frames.size());
    Delivered message = message();
    last().answer(message);
    assertEquals(message, outcome(recv));
  }

  @Test
  void aCallThatDoesNotWaitAsksNoQuestion() {
    serveThere();
    PendingRecv recv = recv(Duration.ZERO);
    last().answer(Delivered.NONE);
    assertEquals(Delivered.NONE, outcome(recv));
    assertEquals(List.of(), questions);
  }

  @Test
  void aCallWithMessagesOfThisNodeAsksNoQuestion() {
    serve(Owner.HERE, Owner.HERE);
    PendingRecv recv = recv(WAIT);
    pass(Duration.ofSeconds(2));
    assertEquals(List.of(), questions);
    local.recvs.get(local.recvs.size() - 1).outcome.complete(message());
    assertTrue(isAnswered(recv));
  }

  @Test
  void manyCallsAreOneQuestionAndOneMessageWakesOne() {
    serveThere();
    List<PendingRecv> recvs = IntStream.range(0, 20).mapToObj(i -> waiting()).toList();
    pass(Duration.ofSeconds(2));
    assertEquals(1, questions.size());
    assertEquals(20, frames.size());
    question().report();
    assertEquals(21, frames.size());
    last().answer(message());
    assertEquals(1, recvs.stream().filter(RoutedReadyTest::isAnswered).count());
    pass(Duration.ofMillis(50));
    assertEquals(2, questions.size(), "the others still wait");
    assertEquals(21, frames.size());
  }

  @Test
  void aMessageForAClientThatIsGoneWakesTheNextCall() {
    serveThere();
    PendingRecv gone = waiting();
    PendingRecv next = waiting();
    gone.abandon();
    question().report();
    Delivered message = message();
    last().answer(message);
    assertEquals(message, outcome(next));
  }

  @Test
  void leasesForAClientThatIsGoneMeanwhileGoBack() {
    serveThere();
    PendingRecv gone = waiting();
    question().report();
    PeerCall.Recv asked = assertInstanceOf(PeerCall.Recv.class, last().call());
    gone.abandon();
    last().answer(message());
    assertEquals(new PeerCall.GiveBack(asked.id()), last().call());
  }

  /** Another node's consumer was quicker. */
  @Test
  void aCallThatIsWokenInVainWaitsOn() {
    serveThere();
    PendingRecv recv = waiting();
    question().report();
    last().answer(Delivered.NONE);
    assertFalse(isAnswered(recv));
    pass(Duration.ofMillis(50));
    assertEquals(2, questions.size());
    question().report();
    Delivered message = message();
    last().answer(message);
    assertEquals(message, outcome(recv));
  }

  @Test
  void reportsOfTwoNodesAreFollowedOneAfterTheOther() {
    serve(new Owner.Elsewhere(B), new Owner.Elsewhere(C));
    PendingRecv recv = waiting();
    assertEquals(2, frames.size());
    assertEquals(2, questions.size());
    questions.forEach(Asked::report);
    assertEquals(3, frames.size(), "one lease at a time");
    last().answer(Delivered.NONE);
    assertEquals(4, frames.size());
    Delivered message = message();
    last().answer(message);
    assertEquals(message, outcome(recv));
  }

  @Test
  void aMessageOfThisNodeEndsTheWaitForOthers() {
    serve(Owner.HERE, new Owner.Elsewhere(B));
    PendingRecv recv = waiting();
    Delivered message = message();
    local.recvs.get(local.recvs.size() - 1).outcome.complete(message);
    assertEquals(message, outcome(recv));
    int before = frames.size();
    question().report();
    assertEquals(before, frames.size());
    pass(Duration.ofSeconds(1));
    assertEquals(1, questions.size());
  }

  @Test
  void anOwnerThatIsNewIsFoundWithinASecond() {
    serveThere();
    PendingRecv recv = waiting();
    pass(Duration.ofSeconds(5));
    serve(new Owner.Elsewhere(B), new Owner.Elsewhere(C));
    pass(Duration.ofMillis(1_050));
    assertEquals("c", last().to());
    Delivered message = message();
    last().answer(message);
    assertEquals(message, outcome(recv));
  }

  /** Such as one of the release before, or one that is cut off. */
  @Test
  void aNodeThatAnswersNoQuestionIsAskedEachSecond() {
    serveThere();
    PendingRecv recv = waiting();
    pass(Duration.ofSeconds(5));
    question().reply().completeExceptionally(new IOException("status 404"));
    int before = frames.size();
    pass(Duration.ofMillis(1_050));
    assertEquals(before + 1, frames.size());
    last().answer(Delivered.NONE);
    assertEquals(2, questions.size(), "it is also asked again whether it answers");
    Delivered message = message();
    question().report();
    last().answer(message);
    assertEquals(message, outcome(recv));
  }

  @Test
  void aCallThatWaitsEndsAtItsDeadlineAndIsWokenNoMore() {
    serveThere();
    PendingRecv recv = waiting();
    pass(WAIT.plusMillis(50));
    assertEquals(Delivered.NONE, outcome(recv));
    question().report();
    assertEquals(1, frames.size());
  }

  @Test
  void metricsCountQuestionsByOutcome() {
    serveThere();
    PendingRecv recv = waiting();
    question().report();
    last().answer(message());
    assertTrue(isAnswered(recv));
    assertEquals(
        1,
        mailbox.metrics().stream()
            .filter(one -> one.family() == Family.PEER_READY_TOTAL)
            .filter(one -> one.tags().containsValue("reported"))
            .mapToDouble(one -> one.now())
            .sum());
  }
}
