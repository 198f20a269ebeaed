package org.svcmailbox.undertow.threads;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/** Threads and time that stand still until the test moves them. */
final class ManualPlatform implements FewThreads.Platform {
  final Queue<Runnable> started = new ArrayDeque<>();
  final Queue<Runnable> looks = new ArrayDeque<>();
  private long nanos;
  private boolean rejects;

  @Override
  public void start(Runnable runner) {
    if (rejects) {
      throw new RejectedExecutionException("no more threads");
    }
    started.add(runner);
  }

  @Override
  public void later(Runnable look, Duration delay) {
    looks.add(look);
  }

  @Override
  public long nanos() {
    return nanos;
  }

  void rejectFromNowOn() {
    rejects = true;
  }

  /** Lets time pass and does what was to be done later. */
  void pass(Duration time) {
    nanos += time.toNanos();
    for (int due = looks.size(); due > 0; due--) {
      looks.remove().run();
    }
  }

  /** Runs the oldest runner that was started on the calling thread, to its end. */
  void runOne() {
    started.remove().run();
  }
}
