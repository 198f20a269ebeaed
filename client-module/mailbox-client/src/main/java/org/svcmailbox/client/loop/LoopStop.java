package org.svcmailbox.client.loop;

import java.time.Duration;
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
    state.beginToStop();
    state.awaitWork(grace);
    // An interrupt ends the grace. The rest is short, and returns messages.
    boolean interrupted = Thread.interrupted();
    boolean graceful = endWork();
    state.awaitThreads(CALL_GRACE);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return graceful && state.jobs().isEmpty();
  }

  /** Everything but the wait for threads, of which the caller may be one. */
  boolean endWork() {
    state.beginToStop();
    long interrupted =
        state.jobs().stream().filter(job -> job.interrupt(Interruption.STOPPED)).count();
    state.awaitJobs(HANDLER_GRACE);
    state.stopped();
    leases.end();
    return interrupted == 0;
  }

  /** Returns the messages of handlers that ignore their interruption. */
  void returnStuck() {
    state.jobs().stream().filter(Job::isStuck).map(Job::message).forEach(processor::giveBack);
  }
}
