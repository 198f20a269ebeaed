package org.svcmailbox.client.loop;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.client.loop.HandledMessage.Interruption;

/**
 * The end of a loop: of receiving first, then of the handlers, then of the threads. The stopping
 * thread makes no call to the backend, so it is never held up by one.
 */
final class LoopStop<T, R> {
  /** How long an interrupted handler may take before its message is returned without it. */
  private static final Duration HANDLER_GRACE = Duration.ofSeconds(2);

  /** How long running calls may take. */
  private static final Duration CALL_GRACE = Duration.ofSeconds(3);

  private final LoopState<T, R> state;
  private final LeaseKeeper<T, R> leases;
  private final Processor<T, R> processor;

  LoopStop(LoopState<T, R> state, LeaseKeeper<T, R> leases, Processor<T, R> processor) {
    this.state = state;
    this.leases = leases;
    this.processor = processor;
  }

  /** Ends the loop. Returns whether all handlers ended without an interrupt. */
  boolean end(Duration grace) {
    return endAll(List.of(this), grace);
  }

  /** Ends several loops in parallel, which takes no longer than ending one. */
  static boolean endAll(List<LoopStop<?, ?>> all, Duration grace) {
    all.forEach(each -> each.state.beginToStop());
    within(grace, all, LoopState::awaitWork);
    // An interrupt ends the grace. The rest is short, and returns messages.
    boolean interrupted = Thread.interrupted();
    long interruptions = all.stream().mapToLong(LoopStop::interruptHandlers).sum();
    within(HANDLER_GRACE, all, LoopState::awaitJobs);
    all.forEach(LoopStop::letThreadsEnd);
    within(CALL_GRACE, all, LoopState::awaitThreads);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return interruptions == 0 && all.stream().allMatch(each -> each.state.jobs().isEmpty());
  }

  /** A wait of one loop until a moment. */
  private interface Wait {
    void until(LoopState<?, ?> state, long end);
  }

  /** Waits for all loops, at most {@code most} in total. */
  private static void within(Duration most, List<LoopStop<?, ?>> all, Wait wait) {
    long[] ends = all.stream().mapToLong(each -> each.state.deadline(most)).toArray();
    for (int i = 0; i < ends.length; i++) {
      wait.until(all.get(i).state, ends[i]);
    }
  }

  /** Does everything except wait for the threads, because the caller may be one of them. */
  void endWork() {
    state.beginToStop();
    long unused = interruptHandlers();
    state.awaitJobs(state.deadline(HANDLER_GRACE));
    letThreadsEnd();
  }

  private long interruptHandlers() {
    return state.jobs().stream().filter(job -> job.interrupt(Interruption.STOPPED)).count();
  }

  private void letThreadsEnd() {
    state.stopped();
    leases.end();
  }

  /** Returns the messages of handlers that ignore their interruption. */
  void returnStuck() {
    state.jobs().stream()
        .filter(HandledMessage::isStuck)
        .map(HandledMessage::message)
        .forEach(processor::giveBack);
  }
}
