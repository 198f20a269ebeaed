package org.svcmailbox.core.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.topic.Topic;

/**
 * One RECV, shared by every worker that owns a shard of its topic. The first worker that has
 * something claims it; the others find it settled and pass on. Any thread.
 */
final class RecvCall implements MailboxService.PendingRecv, Command {
  private enum State {
    OPEN,
    CLAIMED,
    ABANDONED
  }

  private final Caller caller;
  private final Topic topic;
  private final RecvRequest request;
  private final Duration visibility;
  private final long since;
  private final long deadline;
  private final CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
  private State state = State.OPEN;
  private int unasked;
  private @Nullable Consumer<List<Lease>> giveBack;
  private List<Lease> leases = List.of();
  private InflightLimits.@Nullable Full kept;

  /**
   * @param visibility how long its leases last
   * @param since when it was given to the service, on the ticker
   * @param deadline until when it waits, on the ticker
   * @param workers how many workers it is given to
   */
  RecvCall(
      Caller caller,
      Topic topic,
      RecvRequest request,
      Duration visibility,
      long since,
      long deadline,
      int workers) {
    this.caller = caller;
    this.topic = topic;
    this.request = request;
    this.visibility = visibility;
    this.since = since;
    this.deadline = deadline;
    this.unasked = workers;
  }

  /** Who calls, and is asked again when the call has waited. */
  Caller caller() {
    return caller;
  }

  Topic topic() {
    return topic;
  }

  RecvRequest request() {
    return request;
  }

  Duration visibility() {
    return visibility;
  }

  long since() {
    return since;
  }

  long deadline() {
    return deadline;
  }

  boolean waits() {
    return !request.maxWait().isZero();
  }

  synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /**
   * One worker more has looked and takes nothing; answers whether it was the last.
   *
   * @param full what kept it from taking something, null when it found nothing
   */
  synchronized boolean countPass(InflightLimits.@Nullable Full full) {
    unasked--;
    kept = full != null ? full : kept;
    return unasked == 0;
  }

  /** What kept a worker from taking something, null when nothing did. */
  synchronized InflightLimits.@Nullable Full kept() {
    return kept;
  }

  /** Gets the right to answer, which one caller ever gets. */
  synchronized boolean claim() {
    if (state != State.OPEN) {
      return false;
    }
    state = State.CLAIMED;
    return true;
  }

  /**
   * Claims the call and records its leases, so that they can be given back.
   *
   * @param takeBack takes leases back whose messages no client got; any thread
   * @return false when the call is not open any more and the caller has to drop the leases
   */
  synchronized boolean claim(Consumer<List<Lease>> takeBack, List<Lease> taken) {
    if (!claim()) {
      return false;
    }
    giveBack = takeBack;
    leases = taken;
    return true;
  }

  void answer(RecvOutcome answer) {
    outcome.complete(answer);
  }

  @Override
  public void refuse(Refusal refusal) {
    if (claim()) {
      outcome.complete(refusal);
    }
  }

  /** Refuses the call of a worker that died, unless another worker has claimed it. */
  void orphaned(Consumer<List<Lease>> takeBack, Refusal refusal) {
    if (claim() || isClaimedWith(takeBack)) {
      outcome.complete(refusal);
    }
  }

  private synchronized boolean isClaimedWith(Consumer<List<Lease>> takeBack) {
    return giveBack == takeBack;
  }

  @Override
  public CompletionStage<RecvOutcome> outcome() {
    return outcome;
  }

  @Override
  public void abandon() {
    List<Lease> unread;
    Consumer<List<Lease>> takeBack;
    synchronized (this) {
      unread = leases;
      takeBack = giveBack;
      leases = List.of();
      state = state == State.OPEN ? State.ABANDONED : state;
    }
    if (takeBack != null && !unread.isEmpty()) {
      takeBack.accept(unread);
    }
    outcome.complete(RecvOutcome.Delivered.NONE);
  }
}
