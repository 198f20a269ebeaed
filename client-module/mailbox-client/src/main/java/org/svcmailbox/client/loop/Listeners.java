package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.loop.LoopListener.Ending;

/** The listeners of one loop, whose exceptions stay with them. */
final class Listeners {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  private final Mailbox<?, ?> mailbox;
  private final List<LoopListener> all;

  Listeners(Mailbox<?, ?> mailbox, List<LoopListener> all) {
    this.mailbox = mailbox;
    this.all = List.copyOf(all);
  }

  void received(int messages) {
    tell(listener -> listener.received(mailbox.name(), messages));
  }

  void receiveFailed(Throwable cause) {
    tell(listener -> listener.receiveFailed(mailbox.name(), cause));
  }

  void ended(Ending ending, Duration handling) {
    tell(listener -> listener.ended(mailbox.name(), ending, handling));
  }

  void failed(Throwable cause) {
    tell(listener -> listener.failed(mailbox.name(), cause));
  }

  private void tell(Consumer<LoopListener> what) {
    for (LoopListener listener : all) {
      try {
        what.accept(listener);
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, LoopSupervisor.name(mailbox) + ": its listener failed", e);
      }
    }
  }
}
