package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.InMemoryOwners;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.time.TestTime;

/** Tasks for two groups of another node and one of this one. */
class GroupOwnersTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final GroupTask PEEK = new GroupTask.Peek(ORDERS, null, 10);
  private static final GroupTask PURGE = new GroupTask.Purge(ORDERS);
  private static final Set<Integer> ALL = Set.of(0, 1, 2);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final NodeView B = new NodeView(new NodeId("b"), URI.create("http://b"), true);

  private final TestTime time = new TestTime();
  private final InMemoryOwners owners = new InMemoryOwners(new NodeId("a"), 3, List.of(B));
  private final List<Set<Integer>> askedHere = new ArrayList<>();
  private final List<PeerCall.Ask> askedThere = new ArrayList<>();
  private final Deque<CompletableFuture<byte[]>> replies = new ArrayDeque<>();
  private final List<GroupResult> took = new ArrayList<>();
  private Runnable pause = () -> {};
  private @Nullable RuntimeException failure;
  private final GroupOwners asking =
      new GroupOwners(
          owners,
          (caller, groups, task) -> {
            askedHere.add(groups);
            if (failure != null) {
              throw failure;
            }
            return GroupResult.counted(groups, 1, false);
          },
          this::send,
          PATIENCE,
          time,
          () -> {
            time.advance(Duration.ofMillis(250));
            pause.run();
          });

  @BeforeEach
  void share() {
    owners.serve(0, Owner.HERE);
    owners.serve(1, new Owner.Elsewhere(B));
    owners.serve(2, new Owner.Elsewhere(B));
  }

  private synchronized CompletionStage<byte[]> send(URI peer, byte[] frame) {
    assertEquals(B.url(), peer);
    try {
      ForwardedCall call = PeerCodec.calls(frame).get(0);
      assertEquals(SampleCallers.OPERATOR.token(), call.token());
      askedThere.add((PeerCall.Ask) call.call());
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
    return replies.size() > 1 ? replies.remove() : replies.element();
  }

  private static CompletableFuture<byte[]> answer(PeerAnswer answer) {
    return CompletableFuture.completedFuture(
        PeerCodec.answerFrame(List.of(PeerCodec.encode(answer))));
  }

  private static CompletableFuture<byte[]> done(Integer... groups) {
    return answer(new PeerAnswer.Told(GroupResult.counted(Set.of(groups), 10, false)));
  }

  private static CompletableFuture<byte[]> refused(Problem problem, String reason) {
    return answer(
        new PeerAnswer.Refused(new Refusal(problem, reason, "no", Duration.ofMillis(100))));
  }

  private void ask(GroupTask task) {
    asking.ask(SampleCallers.OPERATOR, ALL, task, took::add);
  }

  private String away(GroupTask task) {
    return assertThrows(OwnerAwayException.class, () -> ask(task)).reason();
  }

  private Set<Integer> groups() {
    Set<Integer> groups = new TreeSet<>();
    took.forEach(result -> groups.addAll(result.groups()));
    return groups;
  }

  @Test
  void eachNodeIsAskedOnceForItsGroups() {
    replies.add(done(1, 2));
    ask(PURGE);
    assertEquals(List.of(Set.of(0)), askedHere);
    assertEquals(List.of(new PeerCall.Ask(Set.of(1, 2), PURGE)), askedThere);
    assertEquals(ALL, groups());
    assertEquals(11, took.stream().mapToLong(GroupResult::count).sum());
  }

  @Test
  void aGroupThatMovedIsAskedForAgainAndNoOther() {
    replies.add(done(1));
    replies.add(done(2));
    ask(PURGE);
    assertEquals(
        List.of(new PeerCall.Ask(Set.of(1, 2), PURGE), new PeerCall.Ask(Set.of(2), PURGE)),
        askedThere);
    assertEquals(1, askedHere.size());
    assertEquals(21, took.stream().mapToLong(GroupResult::count).sum());
  }

  @Test
  void aGroupThatNobodyServesIsWaitedFor() {
    owners.serve(1, Owner.MOVING);
    replies.add(done(2));
    pause = () -> owners.serve(1, Owner.HERE);
    ask(PEEK);
    assertEquals(List.of(Set.of(0), Set.of(1)), askedHere);
    assertEquals(ALL, groups());
  }

  @Test
  void aGroupThatNobodyServesInTimeIsNamedAsMoving() {
    owners.serve(1, Owner.MOVING);
    replies.add(done(2));
    long begun = time.nanos();
    assertEquals("group_moving", away(PEEK));
    assertEquals(PATIENCE.toNanos(), time.nanos() - begun);
  }

  @Test
  void aNodeThatIsNotReachedIsAskedAgainWhateverTheTask() {
    replies.add(
        CompletableFuture.failedFuture(new PeerTransport.NotSentException("no connection")));
    replies.add(done(1, 2));
    ask(PURGE);
    assertEquals(ALL, groups());
  }

  @Test
  void aNodeThatIsNeverReachedIsUnreachable() {
    replies.add(
        CompletableFuture.failedFuture(new PeerTransport.NotSentException("no connection")));
    assertEquals("owner_unreachable", away(PURGE));
    assertEquals(5, askedThere.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyAReadIsRepeatedAfterALostAnswer(boolean isDamaged) {
    replies.add(
        isDamaged
            ? CompletableFuture.completedFuture(new byte[] {1, 2, 3})
            : CompletableFuture.failedFuture(new IOException("reset")));
    assertEquals("owner_lost", away(PURGE));
    assertEquals(1, askedThere.size());
    replies.add(done(1, 2));
    ask(PEEK);
    assertEquals(3, askedThere.size());
  }

  @ParameterizedTest
  @CsvSource({"group_moving", "settling", "draining"})
  void aNodeThatDoesNotServeYetOrAnyMoreIsAskedAgain(String reason) {
    replies.add(refused(Problem.E_UNAVAILABLE, reason));
    replies.add(done(1, 2));
    ask(PURGE);
    assertEquals(2, askedThere.size());
    assertEquals(ALL, groups());
  }

  @Test
  void otherRefusalsEndTheCall() {
    replies.add(refused(Problem.E_UNAVAILABLE, "unavailable"));
    assertEquals("unavailable", away(PEEK));
    replies.clear();
    replies.add(refused(Problem.E_SATURATED, "peer_tasks"));
    assertEquals("peer_tasks", assertThrows(SaturatedException.class, () -> ask(PEEK)).reason());
    replies.clear();
    replies.add(answer(new PeerAnswer.Thrown(Problem.E_NOT_FOUND, "no topic", List.of())));
    assertThrows(NotFoundException.class, () -> ask(PEEK));
    assertEquals(3, askedThere.size());
  }

  @Test
  void aFailureKeepsNoOtherResultFromBeingTaken() {
    replies.add(refused(Problem.E_SATURATED, "peer_tasks"));
    assertThrows(SaturatedException.class, () -> ask(PURGE));
    assertEquals(Set.of(0), groups());
    took.clear();
    failure = new IllegalStateException("here");
    replies.clear();
    replies.add(done(1, 2));
    assertThrows(IllegalStateException.class, () -> ask(PURGE));
    assertEquals(Set.of(1, 2), groups());
  }

  @Test
  void sixteenCallsAskAtATime() {
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    CompletableFuture<byte[]> later = new CompletableFuture<>();
    replies.add(later);
    for (int i = 0; i < GroupOwners.MOST; i++) {
      waiting.add(
          CompletableFuture.runAsync(
              () -> asking.ask(SampleCallers.OPERATOR, Set.of(1), PEEK, one -> {}),
              task -> new Thread(task).start()));
    }
    while (asking.metrics().get(0).now() < GroupOwners.MOST) {
      Thread.onSpinWait();
    }
    assertEquals("owner_calls", assertThrows(SaturatedException.class, () -> ask(PEEK)).reason());
    later.complete(done(1, 2).join());
    waiting.forEach(CompletableFuture::join);
    assertEquals(0.0, asking.metrics().get(0).now());
  }
}
