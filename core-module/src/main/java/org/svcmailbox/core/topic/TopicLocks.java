package org.svcmailbox.core.topic;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * A lock for each topic name, which exists while a thread holds it or waits for it. Topics never
 * wait for one another. A thread holds only one of them at a time. Any thread.
 */
final class TopicLocks {
  /** Longer than the database and the broker take to answer or to fail. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ConcurrentHashMap<TopicName, TopicLock> locks = new ConcurrentHashMap<>();
  private final Duration patience;

  private static final class TopicLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    /**
     * The number of threads that hold it or wait for it; changed only in the map's {@code compute}.
     */
    private int users;
  }

  TopicLocks(Duration patience) {
    this.patience = patience;
  }

  /**
   * Runs {@code work} while no other thread has the name's lock.
   *
   * @throws UnavailableException if another thread keeps it too long
   * @throws IllegalStateException if this thread already has it
   */
  <T extends @Nullable Object> T call(TopicName name, Supplier<T> work) {
    TopicLock lock = requireNonNull(locks.compute(name, (key, known) -> used(known)));
    try {
      acquire(name, lock);
      try {
        return work.get();
      } finally {
        lock.unlock();
      }
    } finally {
      locks.computeIfPresent(name, (key, known) -> --known.users == 0 ? null : known);
    }
  }

  /** As {@link #call}, without a result. */
  void run(TopicName name, Runnable work) {
    Object unused =
        this.<@Nullable Object>call(
            name,
            () -> {
              work.run();
              return null;
            });
  }

  /** The number of names with a lock now. */
  int size() {
    return locks.size();
  }

  private static TopicLock used(@Nullable TopicLock known) {
    TopicLock lock = known == null ? new TopicLock() : known;
    lock.users++;
    return lock;
  }

  private void acquire(TopicName name, TopicLock lock) {
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a change of " + name + " changes it again");
    }
    try {
      if (lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UnavailableException("the topic " + name + " is being changed");
  }
}
