package org.svcmailbox.outbox.inbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;

/** Calls a handler. */
final class Calls {
  private static final Logger LOG = System.getLogger(InboxProcessor.class.getName());

  private Calls() {}

  /** A call of a handler with its event. */
  @FunctionalInterface
  interface Call {
    HandlerResult run() throws InterruptedException;
  }

  /** The result; an exception is a failure that passes. */
  static HandlerResult result(HandlerPayload event, Call call) throws InterruptedException {
    try {
      return call.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "The handler failed at message " + event.ids(), e);
      return new Retry(e.toString(), null);
    }
  }
}
