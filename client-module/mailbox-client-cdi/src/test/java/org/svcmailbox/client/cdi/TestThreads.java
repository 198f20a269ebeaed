package org.svcmailbox.client.cdi;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/** The container's threads. */
@ApplicationScoped
class TestThreads implements ManagedThreadFactory {
  private final List<Thread> made = new CopyOnWriteArrayList<>();

  @Override
  public @Nullable Thread newThread(Runnable task) {
    Thread thread = new Thread(task);
    made.add(thread);
    return thread;
  }

  @Override
  public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
    throw new UnsupportedOperationException();
  }

  /** Every thread so far. */
  List<Thread> made() {
    return List.copyOf(made);
  }
}
