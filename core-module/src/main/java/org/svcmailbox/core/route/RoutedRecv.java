package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;

/**
 * A RECV that asks the owners of its shards one after the other, in rounds. A call that waits has
 * this process's own messages delivered as they come, and asks another owner again once that one
 * has messages. Further rounds, in longer and longer intervals, find owners that are new or do not
 * say so. Leases that the client does not get go back to their owner. Any thread.
 */
final class RoutedRecv implements PendingRecv, ReadyPeer.Waiter {
  private static final Duration FIRST_ROUND = Duration.ofMillis(50);
  private static final Duration LAST_ROUND = Duration.ofSeconds(1);

  /** How often leases are given back to a node that is not reached; then they run out. */
  private static final int GIVE_BACKS = 5;

  private final Router router;
  private final Caller caller;
  private final RecvRequest request;
  private final ReadyKey key;
  private final Supplier<List<Owner>> owners;
  private final CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
  private final long patient;
  private final long deadline;

  private final Deque<Owner> unasked = new ArrayDeque<>();

  /** Nodes that had nothing in this round. */
  private final List<NodeView> quiet = new ArrayList<>();

  /** Nodes that wake this call once they have messages. */
  private final Set<NodeId> watched = new HashSet<>();

  private int rounds;

  /** Whether owners are being asked, one after the other. */
  private boolean isAsking;

  /** Whether the next round is on its way. */
  private boolean isParked;

  /** Whether an owner had nothing in this round. */
  private boolean isAnyEmpty;

  /** The best reason to refuse the call in this round. */
  private @Nullable Refusal why;

  /** Whether the client has an outcome, or wants none any more. */
  private boolean isOver;

  /** The open local call. */
  private @Nullable PendingRecv waiting;

  /** Returns the leases of the outcome. */
  private Runnable giveBack = () -> {};

  /**
   * @param owners of each shard, at the time of the question
   */
  RoutedRecv(Router router, Caller caller, RecvRequest request, Supplier<List<Owner>> owners) {
    long now = router.ticker().nanos();
    this.router = router;
    this.caller = caller;
    this.request = request;
    this.key = new ReadyKey(request.topic(), request.shard());
    this.owners = owners;
    this.patient = now + router.patience().toNanos();
    this.deadline = now + request.maxWait().toNanos();
  }

  RoutedRecv begin() {
    round();
    return this;
  }

  @Override
  public CompletionStage<RecvOutcome> outcome() {
    return outcome;
  }

  @Override
  public void abandon() {
    Runnable unread;
    Runnable wait;
    synchronized (this) {
      isOver = true;
      unread = giveBack;
      giveBack = () -> {};
      wait = endOfWait();
    }
    unread.run();
    wait.run();
    boolean unused = outcome.complete(Delivered.NONE);
  }

  private void round() {
    List<Owner> order = OwnerOrder.of(owners.get(), router.random());
    Set<Owner> reporting = new HashSet<>(order);
    reporting.removeIf(owner -> !isAskedForReports(owner));
    synchronized (this) {
      isParked = false;
      if (isOver || isAsking) {
        // A call that is being asked parks when it has asked all.
        return;
      }
      isAsking = true;
      unasked.addAll(order);
      isAnyEmpty =
          unasked.removeIf(owner -> isAwaited(owner, reporting.contains(owner))) || waiting != null;
      why = null;
    }
    askNext();
  }

  private boolean isAskedForReports(Owner owner) {
    return owner instanceof Owner.Elsewhere elsewhere
        && router.ready().isAsked(elsewhere.node().node(), key);
  }

  /** Whether an owner says when it has messages for this call. */
  private boolean isAwaited(Owner owner, boolean isReporting) {
    return owner instanceof Owner.Elsewhere elsewhere
        ? isReporting && watched.contains(elsewhere.node().node())
        : waiting != null;
  }

  @Override
  public boolean wake(NodeView node) {
    synchronized (this) {
      watched.remove(node.node());
      if (isOver) {
        return false;
      }
      unasked.add(new Owner.Elsewhere(node));
      if (isAsking) {
        return true;
      }
      isAsking = true;
    }
    askNext();
    return true;
  }

  private void askNext() {
    Owner next;
    synchronized (this) {
      if (isOver) {
        return;
      }
      next = unasked.poll();
    }
    if (next instanceof Owner.Elsewhere elsewhere) {
      ask(elsewhere.node());
    } else if (next != null) {
      askHere();
    } else {
      endRound();
    }
  }

  private void askHere() {
    PendingRecv call = begun(Duration.ZERO);
    if (call != null) {
      CompletionStage<Void> unused =
          call.outcome()
              .handle(
                  (answer, failure) -> {
                    if (failure != null) {
                      failed(Router.unwrapped(failure));
                    } else {
                      answered(answer, call::abandon);
                    }
                    return null;
                  });
    }
  }

  /** A local call; null if it failed, and so ended this one. */
  private @Nullable PendingRecv begun(Duration wait) {
    try {
      return router.local().recv(caller, within(wait));
    } catch (RuntimeException e) {
      failed(e);
      return null;
    }
  }

  private RecvRequest within(Duration wait) {
    return new RecvRequest(
        request.topic(),
        request.visibility(),
        request.maxMessages(),
        request.maxBytes(),
        wait,
        request.shard());
  }

  private void ask(NodeView node) {
    RecvId id = new RecvId(router.random().nextLong(), router.random().nextLong());
    CompletableFuture<Void> unused =
        router
            .forward(node, caller, new PeerCall.Recv(id, within(Duration.ZERO)))
            .thenAccept(reply -> replied(reply, node, id));
  }

  private void replied(PeerReply reply, NodeView node, RecvId id) {
    if (reply instanceof PeerReply.Answered answered) {
      replied(answered.answer(), node, id);
    } else if (reply instanceof PeerReply.Full) {
      refused(RouteRefusals.saturated());
    } else {
      if (reply instanceof PeerReply.Lost) {
        giveBack(node, id, 1);
      }
      refused(RouteRefusals.ownerUnreachable());
    }
  }

  private void replied(PeerAnswer answer, NodeView node, RecvId id) {
    if (answer instanceof PeerAnswer.Received received) {
      synchronized (this) {
        quiet.add(node);
      }
      answered(received.outcome(), () -> giveBack(node, id, 1));
    } else if (answer instanceof PeerAnswer.Refused refused) {
      answered(RouteRefusals.ofPeer(refused.refusal()), () -> {});
    } else if (answer instanceof PeerAnswer.Thrown thrown) {
      failed(Router.exception(thrown));
    } else {
      giveBack(node, id, 1);
      refused(RouteRefusals.ownerUnreachable());
    }
  }

  private void answered(RecvOutcome answer, Runnable unread) {
    if (answer instanceof Delivered delivered && !delivered.messages().isEmpty()) {
      end(delivered, unread);
    } else if (answer instanceof Refusal refusal) {
      switch (refusal.problem()) {
        // No other owner would judge otherwise.
        case E_CAP_AUTH, E_CAP_SCOPE -> end(refusal, () -> {});
        default -> refused(refusal);
      }
    } else {
      synchronized (this) {
        isAnyEmpty = true;
      }
      askNext();
    }
  }

  private void refused(Refusal refusal) {
    synchronized (this) {
      why = why == null || RouteRefusals.isMoving(why) ? refusal : why;
    }
    askNext();
  }

  private void endRound() {
    long now = router.ticker().nanos();
    boolean isEmpty;
    Refusal refusal;
    synchronized (this) {
      isEmpty = isAnyEmpty;
      refusal = why == null ? RouteRefusals.groupMoving() : why;
    }
    boolean isOfRoute = isTransient(refusal);
    if (isEmpty && deadline - now <= 0) {
      end(Delivered.NONE, () -> {});
    } else if (!isEmpty && (!isOfRoute || patient - now <= 0)) {
      end(refusal, () -> {});
    } else {
      await(now, isEmpty ? deadline : patient, isEmpty ? Delivered.NONE : refusal);
    }
  }

  /** Whether another look may find an owner that answers. */
  private static boolean isTransient(Refusal refusal) {
    return RouteRefusals.isMoving(refusal)
        || refusal.reason().equals(RouteRefusals.ownerUnreachable().reason());
  }

  /**
   * @param last the answer of a node that stops
   */
  private void await(long now, long until, RecvOutcome last) {
    long left = until - now;
    boolean isHere = owners.get().stream().anyMatch(Owner.Here.class::isInstance);
    if (isHere && deadline - now > 0) {
      awaitHere(Duration.ofNanos(deadline - now));
    }
    watchQuiet();
    boolean isMore;
    boolean isToPark;
    int before;
    synchronized (this) {
      isMore = !unasked.isEmpty();
      isAsking = isMore;
      isToPark = !isMore && !isParked && !isOver;
      isParked |= isToPark;
      before = rounds;
      rounds += isToPark ? 1 : 0;
    }
    if (isMore) {
      askNext();
    } else if (isToPark) {
      park(Math.min(left, untilNextRound(before).toNanos()), last);
    }
  }

  private void park(long nanos, RecvOutcome last) {
    if (!router.parking().park(Duration.ofNanos(nanos), this::round)) {
      end(router.parking().isOver() ? last : RouteRefusals.parkingFull(), () -> {});
    }
  }

  /** Has the nodes that had nothing wake this call. */
  private void watchQuiet() {
    List<NodeView> added;
    synchronized (this) {
      added = quiet.stream().filter(node -> watched.add(node.node())).toList();
      quiet.clear();
    }
    added.forEach(node -> router.ready().add(node, key, this));
    boolean isLate;
    synchronized (this) {
      isLate = isOver;
    }
    if (isLate) {
      added.forEach(node -> router.ready().remove(node.node(), key, this));
    }
  }

  private static Duration untilNextRound(int rounds) {
    Duration pause = FIRST_ROUND.multipliedBy(1L << Math.min(rounds, 5));
    return pause.compareTo(LAST_ROUND) < 0 ? pause : LAST_ROUND;
  }

  private void awaitHere(Duration left) {
    synchronized (this) {
      if (waiting != null) {
        return;
      }
    }
    PendingRecv call = begun(left);
    if (call == null) {
      return;
    }
    boolean isLate;
    synchronized (this) {
      isLate = isOver;
      waiting = isLate ? null : call;
    }
    if (isLate) {
      call.abandon();
      return;
    }
    CompletionStage<Void> unused =
        call.outcome()
            .handle(
                (answer, failure) -> {
                  awaited(call, answer, failure);
                  return null;
                });
  }

  /** The end of the open local call: with messages, at the deadline, or before its time. */
  private void awaited(
      PendingRecv call, @Nullable RecvOutcome answer, @Nullable Throwable failure) {
    synchronized (this) {
      if (isOver && waiting != call) {
        call.abandon();
        return;
      }
      waiting = null;
    }
    if (failure != null) {
      failed(Router.unwrapped(failure));
    } else if (answer instanceof Delivered delivered && !delivered.messages().isEmpty()) {
      end(delivered, call::abandon);
    } else if (answer instanceof Refusal refusal && !isTransient(refusal)) {
      end(refusal, () -> {});
    }
    // Otherwise the next round goes on, or ends the call at its deadline.
  }

  private void failed(Throwable failure) {
    if (over(() -> {})) {
      boolean unused = outcome.completeExceptionally(failure);
    }
  }

  /** Answers the client, unless it has an answer; its messages then go back. */
  private void end(RecvOutcome answer, Runnable unread) {
    if (over(unread)) {
      boolean unused = outcome.complete(answer);
    } else {
      unread.run();
    }
  }

  private boolean over(Runnable unread) {
    Runnable wait;
    synchronized (this) {
      if (isOver) {
        return false;
      }
      isOver = true;
      giveBack = unread;
      wait = endOfWait();
    }
    wait.run();
    return true;
  }

  /** Takes what waits for messages; returns how to end that, for after the lock. */
  private Runnable endOfWait() {
    PendingRecv open = waiting;
    List<NodeId> nodes = List.copyOf(watched);
    waiting = null;
    watched.clear();
    return () -> {
      nodes.forEach(node -> router.ready().remove(node, key, this));
      if (open != null) {
        open.abandon();
      }
    };
  }

  private void giveBack(NodeView node, RecvId id, int attempt) {
    CompletableFuture<Void> unused =
        router
            .forward(node, caller, new PeerCall.GiveBack(id))
            .thenAccept(
                reply -> {
                  boolean isDone = reply instanceof PeerReply.Answered;
                  if (!isDone && attempt < GIVE_BACKS) {
                    boolean unusedRoom =
                        router
                            .parking()
                            .park(
                                Router.untilNextLook(attempt),
                                () -> giveBack(node, id, attempt + 1));
                  }
                });
  }
}
