package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.client.Mailbox;

/**
 * Ends a loop when one of its threads fails permanently, and reports it. Exceptions and a lack of
 * memory or threads may be temporary, so the call is repeated after a pause. Any other error, for
 * example a missing class, would occur at each call.
 */
final class LoopSupervisor<T, R> {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  private final Mailbox<T, R> mailbox;
  private final LoopState<T, R> state;
  private final Listeners listeners;

  LoopSupervisor(Mailbox<T, R> mailbox, LoopState<T, R> state, Listeners listeners) {
    this.mailbox = mailbox;
    this.state = state;
    this.listeners = listeners;
  }

  /** Whether the same call may succeed after a while. */
  static boolean mayPass(Throwable failure) {
    return !(failure instanceof Error) || failure instanceof OutOfMemoryError;
  }

  /** The mailbox and where it is, for the log. */
  static String name(Mailbox<?, ?> mailbox) {
    String location = mailbox.location();
    return "mailbox " + mailbox.name() + (location.isEmpty() ? "" : " at " + location);
  }

  /** Wraps a task of the loop, so that no failure of it goes unnoticed. */
  Runnable supervised(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    };
  }

  /** The loop fails. Its receiver finishes the work it has begun. */
  void failed(Throwable cause) {
    // First, because what follows needs memory.
    if (state.fail(cause)) {
      LOG.log(Level.ERROR, name(mailbox) + ": the loop ends, because it cannot go on", cause);
      listeners.failed(cause);
    } else {
      LOG.log(Level.WARNING, name(mailbox) + ": a thread failed while the loop ended", cause);
    }
  }
}
