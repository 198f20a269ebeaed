package org.svcmailbox.client.loop;

import java.time.Duration;
import java.util.List;
import org.svcmailbox.client.loop.Job.Interruption;

/**
 * The end of a loop: of receiving first, then of the handlers, then of the threads. The stopping
 * thread makes no call to the backend, so it is never held up by one.
 */
final class LoopStop<T, R> {
  /** How long an interrupted handler may take before its message is returned without it. */
  private static final Duration HANDLER_GRACE = Duration.ofSeconds(2);

  /** How long calls that are under way may take. */
  private static final Duration CALL_GRACE = Duration.ofSeconds(3);

  private final LoopState<T, R> state;
  private final LeaseKeeper<T, R> leases;
  private final Processor<T, R> processor;

  LoopStop(LoopState<T, R> state, LeaseKeeper<T, R> leases, Processor<T, R> processor) {
    this.state = state;
    this.leases = leases;
    this.processor = processor;
  }

  /** Ends everything; whether all handlers ended by themselves. */
  boolean end(Duration grace) {
    return endAll(List.of(this), grace);
  }

  /** Ends loops side by side, which takes no longer than the end of one. */
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

  /** Waits for each, for so long in all. */
  private static void within(Duration most, List<LoopStop<?, ?>> all, Wait wait) {
    long[] ends = all.stream().mapToLong(each -> each.state.deadline(most)).toArray();
    for (int i = 0; i < ends.length; i++) {
      wait.until(all.get(i).state, ends[i]);
    }
  }

  /** Everything but the wait for threads, of which the caller may be one. */
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
    state.jobs().stream().filter(Job::isStuck).map(Job::message).forEach(processor::giveBack);
  }
}
