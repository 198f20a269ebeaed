package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.bounds.InflightLimits;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Lease;

/**
 * A RECV, shared by all workers that own a shard of its topic. The first worker with a message
 * claims it. Any thread.
 */
public final class RecvCall implements MailboxService.PendingRecv, Command {
  private enum State {
    OPEN,
    CLAIMED,
    ABANDONED
  }

  private final Caller caller;
  private final Topic topic;
  private final RecvRequest request;
  private final Duration visibility;
  private final @Nullable StreamWindow window;
  private final long since;
  private final long deadline;
  private final CompletableFuture<RecvOutcome> outcome = new CompletableFuture<>();
  private State state = State.OPEN;
  private int unasked;
  private @Nullable Consumer<List<Lease>> giveBack;
  private List<Lease> leases = List.of();
  private InflightLimits.@Nullable Full stoppedBy;

  /**
   * Times are ticker nanoseconds.
   *
   * @param window of the stream that gets the messages; null for a call outside a stream
   * @param workers how many workers share the call
   */
  public RecvCall(
      Caller caller,
      Topic topic,
      RecvRequest request,
      Duration visibility,
      @Nullable StreamWindow window,
      long since,
      long deadline,
      int workers) {
    this.caller = caller;
    this.topic = topic;
    this.request = request;
    this.visibility = visibility;
    this.window = window;
    this.since = since;
    this.deadline = deadline;
    this.unasked = workers;
  }

  Caller caller() {
    return caller;
  }

  public Topic topic() {
    return topic;
  }

  RecvRequest request() {
    return request;
  }

  /** How many messages it may get now: the window of a stream may have more room than it had. */
  int mostMessages() {
    int most = request.maxMessages();
    return window == null ? most : Math.min(most, window.roomMessages());
  }

  /** How many payload bytes it may get now, beyond the first message. */
  long mostBytes() {
    long most = request.maxBytes();
    return window == null ? most : Math.min(most, window.roomBytes());
  }

  Duration visibility() {
    return visibility;
  }

  @Nullable StreamWindow window() {
    return window;
  }

  long since() {
    return since;
  }

  public long deadline() {
    return deadline;
  }

  boolean waits() {
    return !request.maxWait().isZero();
  }

  synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /** Counts a worker that found nothing or reached a limit; returns whether it was the last. */
  synchronized boolean countPass(InflightLimits.@Nullable Full full) {
    unasked--;
    stoppedBy = full != null ? full : stoppedBy;
    return unasked == 0;
  }

  synchronized InflightLimits.@Nullable Full stoppedBy() {
    return stoppedBy;
  }

  /** Returns true for the one caller that may answer. */
  synchronized boolean claim() {
    if (state != State.OPEN) {
      return false;
    }
    state = State.CLAIMED;
    return true;
  }

  /**
   * Claims the call and records its leases, so that {@code takeBack} gets them if no client does.
   * If this returns false, the caller must drop the leases.
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

  /** A waiting call needs no answer before its deadline, which other threads check too. */
  @Override
  public boolean isAnswered() {
    return outcome.isDone() || (waits() && isOpen());
  }

  /** Ends the wait once its time is over. Any thread. */
  public void endDue(long now) {
    if (now - deadline >= 0 && claim()) {
      outcome.complete(RecvOutcome.Delivered.NONE);
    }
  }

  /**
   * Refuses the call of a worker that waits for the broker, unless another worker has claimed it.
   * Leases meant for its answer are given back. Any thread.
   */
  void cut(Consumer<List<Lease>> takeBack, Refusal refusal) {
    if ((claim() || isClaimedWith(takeBack)) && outcome.complete(refusal)) {
      abandon();
    }
  }

  /** Refuses the call of a dead worker, unless another worker has claimed it. */
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
