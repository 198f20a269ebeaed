package org.svcmailbox.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets a command clean up when a signal ends the process: return messages, and stop what it
 * started. A signal interrupts the command's thread and waits for the end of its section, for a
 * bounded time. Outside sections it ends the process at once.
 */
final class Interrupts {
  private static final Duration PATIENCE = Duration.ofSeconds(12);

  private final ReentrantLock section = new ReentrantLock();

  /** Makes SIGINT, SIGTERM and SIGHUP interrupt a thread. The exit code is then the signal's. */
  void endOnSignals(Thread worker) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(worker), "end"));
  }

  /** Interrupts the worker's section, if it is in one, and waits for its end. */
  void interrupt(Thread worker) {
    try {
      if (!section.tryLock()) {
        worker.interrupt();
        boolean unused = section.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs a section, which ends early when its thread is interrupted. */
  <A> A tidily(Callable<A> work) throws Exception {
    section.lock();
    try {
      return work.call();
    } finally {
      section.unlock();
    }
  }
}
