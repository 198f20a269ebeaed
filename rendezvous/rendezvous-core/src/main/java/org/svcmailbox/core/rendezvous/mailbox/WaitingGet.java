package org.svcmailbox.core.rendezvous.mailbox;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Found;

/**
 * A GET and the receiver of its outcome. It ends once, with an outcome or abandoned. Any thread.
 */
final class WaitingGet {
  private static final System.Logger LOG = System.getLogger(WaitingGet.class.getName());

  final RecipientKey key;
  final Access access;

  /** In ticker nanoseconds. */
  final long deadline;

  private final Consumer<GetOutcome> receiver;
  private final AtomicBoolean isOver = new AtomicBoolean();

  WaitingGet(RecipientKey key, Access access, long deadline, Consumer<GetOutcome> receiver) {
    this.key = key;
    this.access = access;
    this.deadline = deadline;
    this.receiver = receiver;
  }

  void abandon() {
    isOver.set(true);
  }

  void end(GetOutcome outcome) {
    if (isOver.compareAndSet(false, true)) {
      tell(outcome);
    }
  }

  /** Ends it with a message, which returns to its place if the receiver fails. */
  void end(Delivery delivery) {
    if (!isOver.compareAndSet(false, true) || !tell(new Found(delivery))) {
      delivery.putBack();
    }
  }

  boolean isValid() {
    try {
      return access.isValid().getAsBoolean();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "A waiting GET cannot be checked and is refused", e);
      return false;
    }
  }

  /** A failing receiver must neither stop the tick nor keep its mailbox busy. */
  private boolean tell(GetOutcome outcome) {
    try {
      receiver.accept(outcome);
      return true;
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "The outcome of a GET was not taken", e);
      return false;
    }
  }
}
