package org.svcmailbox.ejb.mailbox;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The container's threads under names that say what they are. */
final class NamedThreads implements ThreadFactory {
  private final ManagedThreadFactory factory;
  private final String name;
  private final AtomicInteger made = new AtomicInteger();

  NamedThreads(ManagedThreadFactory factory, String name) {
    this.name = name;
    this.factory = factory;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = factory.newThread(task);
    thread.setName(name + made.getAndIncrement());
    return thread;
  }
}
