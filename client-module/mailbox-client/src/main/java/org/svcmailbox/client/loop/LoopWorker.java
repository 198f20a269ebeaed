package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.client.loop.LoopListener.Ending;

/** A thread that handles one message after another, until the loop has stopped. */
final class LoopWorker<T, R> implements Runnable {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  private final String mailbox;
  private final LoopState<T, R> state;
  private final Processor<T, R> processor;
  private final Listeners listeners;

  LoopWorker(
      String mailbox, LoopState<T, R> state, Processor<T, R> processor, Listeners listeners) {
    this.mailbox = mailbox;
    this.state = state;
    this.processor = processor;
    this.listeners = listeners;
  }

  @Override
  public void run() {
    for (HandledMessage<T, R> job = state.next(); job != null; job = state.next()) {
      Ending ending = Ending.UNSETTLED;
      try {
        ending = processor.process(job);
      } catch (RuntimeException | Error e) {
        // Thrown by a mailbox that breaks its contract, or lacks a resource. The lease runs out,
        // and this thread continues with the next messages.
        LOG.log(Level.ERROR, "mailbox " + mailbox + ": " + job.message().id(), e);
      } finally {
        state.remove(job);
        listeners.ended(ending, job.handling());
      }
    }
  }
}
