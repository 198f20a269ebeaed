package org.svcmailbox.core.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Opens the worker's broker session when it is due, and ends it. Each failure doubles the time
 * until the next attempt, up to a limit. Part of one worker.
 */
final class SessionLifecycle {
  private static final Duration REOPEN_FIRST = Duration.ofMillis(100);

  /** A failover takes seconds, and must be noticed soon after it. */
  private static final Duration REOPEN_MOST = Duration.ofMillis(500);

  private final WorkerContext context;
  private final LostSessions lost;
  private volatile boolean healthy;
  private long reopenAt;
  private Duration reopenDelay = REOPEN_FIRST;

  SessionLifecycle(WorkerContext context, LostSessions lost) {
    this.context = context;
    this.lost = lost;
    this.reopenAt = context.now();
  }

  /** Whether the worker has its broker session. Any thread. */
  boolean isHealthy() {
    return healthy;
  }

  /**
   * Opens the session if it is due; returns whether it is open.
   *
   * @param attach makes it wait for the worker's logs
   */
  boolean open(Runnable attach) {
    if (context.now() - reopenAt < 0) {
      return false;
    }
    try {
      context.forgetGone();
      context.recount();
      // Whole milliseconds, as in messages, so that a message sent right after this is not older.
      Instant since = Timestamps.truncated(context.ports().wall().instant());
      context.session(context.ports().broker().open(), since);
      attach.run();
    } catch (RuntimeException e) {
      end(BrokerSession::close);
      lost.lost(context.worker(), e.toString());
      reopenLater();
      return false;
    }
    reopenDelay = REOPEN_FIRST;
    return true;
  }

  /** Called when all parts of the worker know the new session. */
  void opened() {
    healthy = true;
    lost.opened(context.worker());
  }

  /** Records why the session is about to end. */
  void failed(UnavailableException why) {
    lost.lost(context.worker(), why.toString());
  }

  void reopenLater() {
    context.workerMetrics().sessionRetried();
    reopenAt = context.now() + reopenDelay.toNanos();
    Duration doubled = reopenDelay.multipliedBy(2);
    reopenDelay = doubled.compareTo(REOPEN_MOST) < 0 ? doubled : REOPEN_MOST;
  }

  /** Nanoseconds until the next attempt. */
  long untilDue(long now) {
    return reopenAt - now;
  }

  void end(Consumer<BrokerSession> how) {
    healthy = false;
    if (context.hasSession()) {
      how.accept(context.session());
      context.session(null, null);
    }
  }
}
