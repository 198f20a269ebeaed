package org.svcmailbox.outbox.inbox;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.svcmailbox.client.MailboxClock;

/** Tells a listener how long each call of a handler takes. Thread-safe as the handler is. */
public final class HandlerTimer {
  private static final Logger LOG = System.getLogger(HandlerTimer.class.getName());

  private final InboxListener listener;
  private final MailboxClock clock;

  public HandlerTimer(InboxListener listener, MailboxClock clock) {
    this.listener = requireNonNull(listener, "listener");
    this.clock = requireNonNull(clock, "clock");
  }

  /** The handler, timed. */
  public EventHandler around(EventHandler handler) {
    return (type, payload) -> timed(() -> handler.handle(type, payload));
  }

  /** The handler, timed. */
  public TransactionalHandler around(TransactionalHandler handler) {
    return (transaction, type, payload) -> timed(() -> handler.handle(transaction, type, payload));
  }

  private HandlerResult timed(Calls.Call call) throws InterruptedException {
    long start = clock.nanoTime();
    try {
      return call.run();
    } finally {
      tell(Duration.ofNanos(clock.nanoTime() - start));
    }
  }

  private void tell(Duration time) {
    try {
      listener.called(time);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A listener of the inbox failed", e);
    }
  }
}
