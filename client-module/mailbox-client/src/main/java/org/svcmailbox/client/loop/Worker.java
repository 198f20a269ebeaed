package org.svcmailbox.client.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** A thread that handles one message after another, until the loop has stopped. */
final class Worker<T, R> implements Runnable {
  private static final Logger LOG = System.getLogger(MainLoop.class.getName());

  private final String mailbox;
  private final LoopState<T, R> state;
  private final Processor<T, R> processor;

  Worker(String mailbox, LoopState<T, R> state, Processor<T, R> processor) {
    this.mailbox = mailbox;
    this.state = state;
    this.processor = processor;
  }

  @Override
  public void run() {
    for (Job<T, R> job = state.next(); job != null; job = state.next()) {
      try {
        processor.process(job);
      } catch (RuntimeException | Error e) {
        // Of a mailbox that breaks its contract, or cannot do without what it lacks. The lease ends
        // by itself, and this thread is for the messages after it.
        LOG.log(Level.ERROR, "mailbox " + mailbox + ": " + job.message().id(), e);
      } finally {
        state.remove(job);
      }
    }
  }
}
