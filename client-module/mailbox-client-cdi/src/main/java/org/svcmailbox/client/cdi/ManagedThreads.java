package org.svcmailbox.client.cdi;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Container threads for the loop of one mailbox, with the application's context. Each task has its
 * own thread, because a loop keeps its threads, and in a pool they would wait for each other.
 */
final class ManagedThreads implements Executor {
  private static final String DEFAULT_FACTORY = "java:comp/DefaultManagedThreadFactory";

  private final ManagedThreadFactory factory;
  private final String mailbox;
  private final AtomicInteger started = new AtomicInteger();

  ManagedThreads(ManagedThreadFactory factory, String mailbox) {
    this.factory = factory;
    this.mailbox = mailbox;
  }

  /** The application's factory if it has such a bean, else the container's default. */
  @SuppressWarnings("BanJNDI") // a constant name in the container's own naming
  static ManagedThreadFactory factory(BeanManager beans) {
    Instance<ManagedThreadFactory> own = beans.createInstance().select(ManagedThreadFactory.class);
    if (own.isResolvable()) {
      return own.get();
    }
    try {
      return InitialContext.doLookup(DEFAULT_FACTORY);
    } catch (NamingException e) {
      throw new IllegalStateException(
          "listeners need threads: there is neither a bean ManagedThreadFactory nor "
              + DEFAULT_FACTORY,
          e);
    }
  }

  @Override
  public void execute(Runnable task) {
    @Nullable Thread thread = factory.newThread(task);
    if (thread == null) {
      throw new RejectedExecutionException("the container has no thread for mailbox " + mailbox);
    }
    thread.setName("mailbox-" + mailbox + "-" + started.getAndIncrement());
    thread.start();
  }
}
