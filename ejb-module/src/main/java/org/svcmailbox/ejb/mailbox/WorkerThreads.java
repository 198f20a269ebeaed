package org.svcmailbox.ejb.mailbox;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The container's threads under names that say what they are. */
final class WorkerThreads implements ThreadFactory {
  private final ManagedThreadFactory factory;
  private final AtomicInteger made = new AtomicInteger();

  WorkerThreads(ManagedThreadFactory factory) {
    this.factory = factory;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = factory.newThread(task);
    thread.setName("mailbox-shard-worker-" + made.getAndIncrement());
    return thread;
  }
}
